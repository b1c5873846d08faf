import { open as openFile, readFile } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import { verifyProof } from '../../../src/scoring/verify-receipt.ts'
import { type Command, parse } from '../command.ts'
import { Problem } from '../problem.ts'

const OPTIONS = [
  {
    name: 'key',
    value: 'JWKS',
    help: 'a file with the keys of the service; else the receipt is believed',
  },
] as const

export const verify: Command = {
  name: 'verify',
  usage: 'RECEIPT EVENTS',
  summary: 'Recompute a score from its events, offline, and hold the receipt against it',
  options: OPTIONS,
  example: 'standing verify receipt.json events.jsonl --key keys.json',
  async run(args, { say }) {
    const { words, options } = parse(args, OPTIONS)
    const [receiptFile, eventsFile, ...others] = words
    if (receiptFile === undefined || eventsFile === undefined || others.length > 0) {
      throw new Problem('Give two files: standing verify receipt.jws events.jsonl')
    }
    const keys = options.key === undefined ? null : await readKeys(options.key)
    const verdict = await verifyProof({
      receipt: await text(receiptFile),
      lines: linesOf(eventsFile),
      keys,
    })
    const { problem, receipt, later } = verdict
    if (problem !== null || !receipt) {
      say(`NOT PROVEN: ${problem}`)
      return 1
    }
    const { score, events, at, sub, iss } = receipt
    say(`proven: agent ${sub} had ${score.score} (${score.classification}) of ${events} events`)
    say(`        at ${new Date(at).toISOString()}, by model ${score.modelVersion}, to the last bit`)
    if (later > 0) {
      say(`        ${later} events of the export came to count later`)
    }
    say(
      keys
        ? `signed: by a key of the set given, for ${iss}`
        : 'signed: not looked at; give the keys with --key to know who said it',
    )
    return 0
  },
}

async function text(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new Problem(`${path} cannot be read: ${error.message}`)
  })
}

/** Opened when the first line is asked for: what is read before is lost to whoever comes late. */
async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await openFile(path).catch((error: Error) => {
    throw new Problem(`${path} cannot be read: ${error.message}`)
  })
  yield* file.readLines()
}

async function readKeys(path: string): Promise<JSONWebKeySet> {
  try {
    const set = JSON.parse(await text(path)) as JSONWebKeySet
    if (Array.isArray(set.keys)) {
      return set
    }
  } catch (error) {
    if (error instanceof Problem) {
      throw error
    }
  }
  throw new Problem(
    `${path} is not a JWK Set: { "keys": [...] }, as /.well-known/jwks.json answers it.`,
  )
}
