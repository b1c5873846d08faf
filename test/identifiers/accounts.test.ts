import { generateKeyPairSync, sign } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToBase58 } from 'did-jwt'
import { expect, test } from 'vitest'
import { ethereumSigner, hasGoodChecksum, isSolanaSigner } from '../../src/identifiers/account.ts'

test('the signer of the web3.js documentation’s example signature is recovered', () => {
  const signature =
    '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c'
  expect(ethereumSigner('Some data', signature)).toBe('0x2c7536e3605d9c16a7a3d7b1898e529396a65c23')
})

test('a message signed by @noble/curves belongs to its account, and only unchanged', () => {
  const secret = new Uint8Array(32).fill(3)
  const point = secp256k1.Point.fromBytes(secp256k1.getPublicKey(secret)).toBytes(false)
  const address = `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(-20)).toString('hex')}`
  for (const message of ['', 'a', 'ü€😀', 'x'.repeat(1000)]) {
    const bytes = Buffer.from(message)
    const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`)
    const digest = keccak_256(Buffer.concat([prefix, bytes]))
    const [recovery = 0, ...rs] = secp256k1.sign(digest, secret, {
      prehash: false,
      format: 'recovered',
    })
    const hex = Buffer.from(rs).toString('hex')
    for (const v of [recovery, recovery + 27]) {
      const signature = `0x${hex}${v.toString(16).padStart(2, '0')}`
      expect(ethereumSigner(message, signature)).toBe(address)
      expect(ethereumSigner(`${message}.`, signature)).not.toBe(address)
    }
  }
})

test('an invalid signature has no signer', () => {
  for (const text of [
    '',
    '0x',
    'b91467',
    `0x${'00'.repeat(65)}`,
    `0x${'ff'.repeat(65)}`,
    `0x${'11'.repeat(64)}02`,
    `0x${'11'.repeat(64)}1d`,
    `0x${'11'.repeat(66)}`,
  ]) {
    expect(ethereumSigner('Some data', text)).toBeNull()
  }
})

test('addresses with the EIP-55 checksum are accepted, and with one letter in the other case refused', () => {
  for (const address of [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ]) {
    expect(hasGoodChecksum(address)).toBe(true)
    expect(hasGoodChecksum(address.toLowerCase())).toBe(true)
    const at = address.search(/[a-fA-F](?=.{3})/)
    const letter = address[at] ?? ''
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    expect(hasGoodChecksum(address.slice(0, at) + other + address.slice(at + 1))).toBe(false)
  }
})

test('an account of Solana is the Ed25519 key that signs', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const x = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const signature = sign(null, Buffer.from('challenge'), privateKey)
  for (const text of [bytesToBase58(signature), signature.toString('base64url')]) {
    expect(await isSolanaSigner(bytesToBase58(x), 'challenge', text)).toBe(true)
    expect(await isSolanaSigner(bytesToBase58(x), 'another', text)).toBe(false)
  }
  expect(await isSolanaSigner('1'.repeat(32), 'challenge', 'AAAA')).toBe(false)
  expect(await isSolanaSigner('no account', 'challenge', 'AAAA')).toBe(false)
})
