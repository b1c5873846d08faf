import type { InputOf, Session } from '../command.ts'
import { describeResult } from '../replay/describe-result.ts'
import { replayOptions } from '../replay/options.ts'
import { replayFile } from '../replay/run.ts'
import type { REPLAY_OPTIONS } from '../table/replay.ts'

export async function replay(
  { words: [file = ''], options }: InputOf<typeof REPLAY_OPTIONS>,
  session: Session,
): Promise<number> {
  const result = await replayFile(replayOptions(file, session, options, new Date()), session.stderr)
  session.show(result, describeResult(result))
  return result.rejected > 0 ? 1 : 0
}
