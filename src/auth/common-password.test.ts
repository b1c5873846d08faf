import { describe, expect, test } from 'vitest'
import { isCommonPassword } from './common-password.ts'

describe('a password is common', () => {
  test.each([
    ...['123456789012', '012345678901', '111111111111', '121212121212', 'abcabcabcabc'],
    ...['password1234', 'Password123!', 'P@ssw0rd2024', 'passwordpassword', 'Pa$$w0rd12345'],
    ...[
      'qwertyuiop12',
      'qwertyuiop[]',
      'QWERTY123456',
      '1q2w3e4r5t6y',
      '1qaz2wsx3edc',
      'asdfghjkl123',
    ],
    ...[
      'abcdefghijkl',
      'lkjhgfdsa321',
      'abc123abc123',
      'iloveyou2024',
      'Sunshine2023!!',
      'letmein12345',
    ],
    ...[
      'adminadmin123',
      'Administrator1',
      'Welcome2024!',
      'Standing2026!',

      '!!!!!!!!!!!!',
    ],
  ])('%s', (password) => {
    expect(isCommonPassword(password)).toBe(true)
  })
})

describe('a password is not common', () => {
  test.each([
    ...['correct horse battery staple', 'a longer staple for a better horse', 'Xk7#pQ9vLm2$'],
    ...[
      'my secret garden gate',
      'tr0ub4dor&3xyz',
      'пароль из четырёх слов',
      '🐢🐟🦊🐙🦉🐝🦀🐬🦔🐞🦋🐌',
    ],
    ...['7491-2086-3357', 'kitchen1987window', 'fjord-lamp-quilt'],
  ])('%s', (password) => {
    expect(isCommonPassword(password)).toBe(false)
  })
})
