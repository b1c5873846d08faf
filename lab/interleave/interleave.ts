import { readOptions, wholeNumber } from '../options.ts'
import { runSeed } from './run-seed.ts'

const USAGE = `npm run interleave -- [--seeds N] [--seed N]

Runs the engine in memory, in many orders of its steps and with crashes between them, and checks its
promises. A seed that fails is printed; --seed N runs it again.`

const SEEDS = 100_000

async function main(args: readonly string[]): Promise<number> {
  const values = readOptions(USAGE, { seeds: null, seed: null }, args)
  const { seed, seeds } = values
  const first = seed === null ? Math.floor(Date.now() / 1_000) : wholeNumber('seed', seed)
  const most = seed === null ? SEEDS : 1
  const count = seeds === null ? most : wholeNumber('seeds', seeds)
  process.stdout.write(`seeds ${first} to ${first + count - 1}\n`)
  for (let seed = first; seed < first + count; seed++) {
    const problems = await runSeed({ seed }).catch((error: unknown) => [String(error)])
    if (problems.length > 0) {
      process.stdout.write(`seed ${seed}:\n  ${problems.join('\n  ')}\n`)
      return 1
    }
  }
  process.stdout.write('nothing is wrong\n')
  return 0
}

process.exitCode = await main(process.argv.slice(2))
