import { ethereumSigner, isSolanaSigner, solanaKey } from '../account.ts'
import { ownerOnChain } from '../chain.ts'
import { type Kind, NO_KEYS, problemOf } from '../kind.ts'

/** An account on a chain (CAIP-10). Its key signs the challenge. */
export const CAIP10: Kind = {
  type: 'caip10',
  form: 'must be an account id of CAIP-10, such as eip155:1:0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb',
  reasonAgainst: (value) =>
    value.startsWith('solana:') && solanaKey(value.split(':')[2] ?? '') === null
      ? 'has an address that is no 32 bytes in base58'
      : null,
  isValue: (value) =>
    ETHEREUM_ACCOUNT.test(value) ||
    (/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}:[-.%a-zA-Z0-9]{1,128}$/.test(value) &&
      !value.startsWith('eip155:')),
  urlOf: () => null,
  hostOf: () => null,
  signerIn: (value) =>
    isProvable(value)
      ? 'the account’s key: EIP-191 (`personal_sign`) for eip155, Ed25519 for solana'
      : null,
  read: async (_reading, value) =>
    isProvable(value)
      ? NO_KEYS
      : problemOf('not_provable', 'only accounts of eip155 and solana can be proven here'),
  async signer({ value, challenge, signature }) {
    const [namespace, , address = ''] = value.split(':')
    if (namespace === 'solana') {
      return (await isSolanaSigner(address, challenge, signature)) ? address : null
    }
    return ethereumSigner(challenge, signature) === address ? address : null
  },
  isKeyPublished: () => false,
}

/** Accounts of other namespaces sign in ways that are not known here. */
function isProvable(value: string): boolean {
  return /^(eip155|solana):/.test(value)
}

const ETHEREUM_ACCOUNT = /^eip155:\d{1,32}:0x[0-9a-f]{40}$/

/** An agent of the identity registry of ERC-8004: the account that owns its token signs. */
export const ERC8004: Kind = {
  type: 'erc8004',
  form: 'must be chain, registry and agent id, such as eip155:1:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432:22',
  isValue: (value) => /^eip155:\d{1,32}:0x[0-9a-f]{40}:(0|[1-9]\d{0,77})$/.test(value),
  urlOf: () => null,
  hostOf: () => null,
  signerIn: () => 'the account that owns the agent’s token: EIP-191 (`personal_sign`)',
  read: async ({ chainRpc }, value) => {
    const chain = value.split(':').slice(0, 2).join(':')
    return chainRpc.has(chain)
      ? NO_KEYS
      : problemOf(
          'not_provable',
          `this service cannot read the chain ${chain}; its operator can set STANDING_CHAIN_RPC`,
        )
  },
  holder: ownerOnChain,
  async signer({ reading, value, challenge, signature }) {
    const owner = await ownerOnChain(reading, value)
    if (typeof owner !== 'string') {
      return owner
    }
    return ethereumSigner(challenge, signature) === owner ? owner : null
  },
  isKeyPublished: () => true,
}
