import { component } from 'http-message-sig'
import { labelsOf } from '../../lib/signature-labels.ts'
import type { FetchedDocument } from '../../outbound/fetch-document.ts'
import { KEY_DIRECTORY_PATH } from '../canonical.ts'
import { keysOfJwks, type PublicKey } from '../keys.ts'
import {
  hostOfUrl,
  isWebUrl,
  type Keys,
  type Kind,
  problemOf,
  type Reading,
  readJson,
} from '../kind.ts'
import { messageSigner } from '../message-signature.ts'
import { urlReason } from '../reasons.ts'

/** An agent that signs its requests and publishes its keys (Web Bot Auth): the origin of its directory. */
export const WEB_BOT_AUTH: Kind = {
  type: 'web_bot_auth',
  form: 'must be the https origin that Signature-Agent names, such as https://agent.example.com',
  reasonAgainst: urlReason,
  isValue: (value) => isWebUrl(value) && new URL(value).origin === value,
  urlOf: (value) => value + KEY_DIRECTORY_PATH,
  hostOf: hostOfUrl,
  signerIn: () => 'a key of the directory',
  read: readDirectory,
  isKeyPublished: () => true,
}

const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'
const DIRECTORY_TAG = 'http-message-signatures-directory'

/** The keys of a directory. Of one that is signed, those that signed it for its own host. */
async function readDirectory(reading: Reading, origin: string): Promise<Keys> {
  const url = origin + KEY_DIRECTORY_PATH
  const read = await readJson(reading, url, `${DIRECTORY_TYPE}, application/json;q=0.5`)
  if ('problem' in read) {
    return read
  }
  const keys = await keysOfJwks(read.json)
  if (keys.length === 0) {
    return problemOf('key_not_found', `${url} lists no key that can be used`)
  }
  const input = read.document.headers['signature-input']
  if (input === undefined) {
    return { keys }
  }
  const signers = await signersOf(read.document, input, keys, reading.now())
  return signers.length > 0
    ? { keys: signers }
    : problemOf('signature_invalid', `the signature of ${url} is not valid for this host and time`)
}

async function signersOf(
  { url, headers }: FetchedDocument,
  input: string,
  keys: readonly PublicKey[],
  now: number,
): Promise<readonly PublicKey[]> {
  const fields = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const request = { kind: 'request', method: 'GET', targetUri: url, fields: [] } as const
  const message = { kind: 'response', status: 200, fields, request } as const
  const components = [component('@authority', { req: true })]
  const found = await Promise.all(
    labelsOf(input).map((label) =>
      messageSigner(message, { label, tag: DIRECTORY_TAG, components, keys, now }),
    ),
  )
  return found.filter((key) => key !== null)
}
