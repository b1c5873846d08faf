import { UsageError } from './exit-codes.ts'

/** @throws UsageError, which says what the command does, unless `--yes` is given */
export function checkYes(flags: ReadonlySet<string>, effect: string): void {
  if (!flags.has('yes')) {
    throw new UsageError(`${effect}. Add --yes to do it.`)
  }
}
