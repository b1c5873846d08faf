import { open as openFile, readFile } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import { readJsonObject } from '../../../src/lib/json-object.ts'
import { UserError, unreadableFile } from '../../../src/lib/user-error.ts'
import { verifyProof } from '../../../src/scoring/verify-receipt.ts'
import type { InputOf, Session } from '../command.ts'
import { counted } from '../output.ts'
import type { VERIFY_OPTIONS } from '../table/scores.ts'

export async function verify(
  { words: [receiptFile = '', eventsFile = ''], options }: InputOf<typeof VERIFY_OPTIONS>,
  session: Session,
): Promise<number> {
  const keys = options.key === undefined ? null : await readKeys(options.key)
  const { problem, receipt, later } = await verifyProof({
    receipt: await readText(receiptFile),
    lines: linesOf(eventsFile),
    keys,
  })
  if (problem !== null || !receipt) {
    session.show({ proven: false, problem }, `NOT PROVEN: ${problem}`)
    return 1
  }
  const { score, events, at, sub, iss } = receipt
  session.show(
    { proven: true, signed: keys !== null, later, receipt },
    [
      `proven: agent ${sub} had ${score.score} (${score.classification}) of ${counted(events, 'event')}`,
      `        at ${new Date(at).toISOString()}, by model ${score.modelVersion}, bit for bit`,
      ...(later > 0
        ? [
            `        ${counted(later, 'event')} of the export ${later === 1 ? 'was' : 'were'} counted later`,
          ]
        : []),
      keys
        ? `signed: by one of the given keys, for ${iss}`
        : 'signed: not checked; pass the public keys with --key to check the signature',
    ].join('\n'),
  )
  return 0
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadableFile(path, error)
  })
}

/** Opens the file when the first line is asked for: lines that are read before would be lost. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await openFile(path).catch((error: unknown) => {
    throw unreadableFile(path, error)
  })
  yield* file.readLines()
}

async function readKeys(path: string): Promise<JSONWebKeySet> {
  const { keys } = await readJsonObject(path, '{ "keys": [...] }')
  if (Array.isArray(keys)) {
    return { keys }
  }
  throw new UserError(
    `${path} is not a JWK Set: { "keys": [...] }, as in the answer of /.well-known/jwks.json.`,
  )
}
