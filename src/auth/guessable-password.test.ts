import { expect, test } from 'vitest'
import { createPasswordRules } from './password-rules.ts'

const rules = createPasswordRules({
  refusesGuessable: true,
  host: 'trust.example.com',
  breached: null,
})
const ADA = { email: 'ada.lovelace@analytical.org', name: 'Ada King-Noel' }
const codeOf = async (password: string) => (await rules.problem(password, ADA))?.code ?? null

test.each([
  ['a common one', 'qwerty123456'],
  ['a common one in other letters', 'QwertyUiop123'],
  ['a common one with digits for letters', 'P4ssw0rd!!!!'],
  ['a common one and a year', 'password2026'],
  ['a common one between marks', '***iloveyou***'],
  ['one letter', 'aaaaaaaaaaaa'],
  ['a short part again and again', 'kx7!kx7!kx7!'],
  ['a common one twice', 'passwordpassword'],
  ['digits in order', '123456789012'],
  ['the name of the product', 'Standing-2026!'],
  ['the host of the service', 'trust.example.com'],
  ['the e-mail address', 'ada.lovelace@analytical.org'],
  ['a part of the address', 'lovelace12345'],
  ['names of the person', 'AdaKingNoel1815'],
  ['names of the person and of the service', 'l0velace standing!'],
])('%s is guessable: %s', async (_what, password) => {
  expect(await codeOf(password)).toBe('guessable_password')
})

test.each([
  ['several words', 'correct horse battery staple'],
  ['a name among other words', 'ada likes warm croissants'],
  ['two common ones', 'dragon-monkey-1'],
  ['a name with a common one', 'lovelace-password'],
  ['random characters', 'kx7!Tq2_mZ9w'],
  ['letters of another script', 'коровы летят на юг'],
  ['as long as a password may be', `${'abcdefghijklmnopqrstuvwxyz '.repeat(4)}and some`],
])('%s is not guessable: %s', async (_what, password) => {
  expect(await codeOf(password)).toBeNull()
})
