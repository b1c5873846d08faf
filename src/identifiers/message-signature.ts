import {
  isSignatureError,
  type MessageDescriptor,
  type SignatureComponent,
  verifySignature,
} from 'http-message-sig'
import { isSignedBy, type PublicKey } from './keys.ts'

export interface MessageSignature {
  readonly label: string
  /** What the signature is for: `web-bot-auth` on requests, another on directories. */
  readonly tag: string
  readonly components: readonly SignatureComponent[]
  readonly keys: readonly PublicKey[]
  readonly now: number
}

/** Clocks differ by less; a signature made this much later than now is not accepted. */
const SKEW_SECONDS = 60

/** The Ed25519 key among these that made an HTTP message signature (RFC 9421); null where none did. */
export async function messageSigner(
  message: MessageDescriptor,
  { label, tag, components, keys, now }: MessageSignature,
): Promise<PublicKey | null> {
  const seconds = Math.floor(now / 1000)
  let signer: PublicKey | null = null
  try {
    await verifySignature(message, {
      label,
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: components,
        requiredParameters: ['created', 'expires', 'keyid', 'tag'],
        now: seconds,
        clockSkew: SKEW_SECONDS,
        validate: ({ parameters }) => parameters.tag === tag,
      },
      resolveVerifier: ({ parameters }) => {
        signer = keys.find(({ thumbprint }) => thumbprint === parameters.keyid) ?? null
        return {
          algorithm: 'ed25519',
          verify: (data, signature) =>
            signer !== null && isSignedBy(signer, data, signature, 'EdDSA'),
        }
      },
    })
    return signer
  } catch (error) {
    if (isSignatureError(error)) {
      return null
    }
    throw error
  }
}
