/**
 * Whether a password is made of at most two common parts, as most of those are that people choose and
 * attackers try first: `password1234`, `qwertyuiop12`, `abcabcabcabc`, `Standing2026!`. By parts and not by a
 * list of whole passwords, because such lists hold few that are as long as a password has to be here.
 */
export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase().replaceAll(/[@$]/g, (sign) => (sign === '@' ? 'a' : 's'))
  // Also with digits in place of letters: `p4ssw0rd`.
  const spelt = plain.replaceAll(/(?<=[a-z])[01345](?=[a-z])/g, (digit) => LETTERS[digit] ?? digit)
  return [plain, spelt].some((one) => new Set(partsOf(one)).size <= PARTS_MAX)
}

/** A word and a number, or two words. */
const PARTS_MAX = 2

const LETTERS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's' }

/** Neighbours on a keyboard, in the alphabet and among digits. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm', '1q2w3e4r5t6y7u8i9o0p', 'qazwsxedcrfvtgbyhnujm'],
]
const RUNS = [...ROWS, ...ROWS.map((row) => [...row].reverse().join(''))]

/** The words of the most used passwords, and those of this service. */
const WORDS = [
  ...['password', 'passwort', 'passw', 'pass', 'secret', 'letmein', 'welcome', 'login', 'access'],
  ...['admin', 'administrator', 'root', 'user', 'guest', 'test', 'testing', 'default', 'changeme'],
  ...['master', 'super', 'system', 'server', 'computer', 'internet', 'samsung', 'google', 'hello'],
  ...['iloveyou', 'loveyou', 'love', 'princess', 'sunshine', 'football', 'baseball', 'basketball'],
  ...['monkey', 'dragon', 'shadow', 'superman', 'batman', 'pokemon', 'starwars', 'trustno1'],
  ...['michael', 'jordan', 'jennifer', 'charlie', 'liverpool', 'chelsea', 'arsenal', 'summer'],
  ...['winter', 'spring', 'autumn', 'monday', 'friday', 'january', 'august', 'october'],
  ...['my', 'the', 'is', 'me', 'new', 'one', 'abc', 'qwe', 'asd', 'zxc'],
  ...['standing', 'trust', 'score', 'agent', 'platform', 'operator', 'owner', 'company'],
].sort((a, b) => b.length - a.length)

/** The parts of a text, from its start on; what is no word, run or number is a part by the character. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  for (let rest = text; rest !== ''; ) {
    const part = nextPart(rest)
    parts.push(part)
    rest = rest.slice(part.length)
  }
  // Signs are added to please a rule: they make nothing harder to guess.
  return parts.filter((part) => !/^[!-/:-@[-`{-~\s]+$/.test(part))
}

function nextPart(text: string): string {
  const word = WORDS.find((one) => text.startsWith(one)) ?? ''
  const repeated = /^(.{1,6}?)\1+/su.exec(text)?.[0] ?? ''
  const number = /^\d{1,8}/.exec(text)?.[0] ?? ''
  const found = [word, runAt(text), repeated, number].reduce((a, b) =>
    b.length > a.length ? b : a,
  )
  return found.length > 1 ? found : String.fromCodePoint(text.codePointAt(0) ?? 0)
}

/** At least three neighbours, in any number of rows. */
function runAt(text: string): string {
  let length = 2
  while (length < text.length && RUNS.some((run) => run.includes(text.slice(0, length + 1)))) {
    length += 1
  }
  return length > 2 ? text.slice(0, length) : ''
}
