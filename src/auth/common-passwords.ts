import { dictionary } from '@zxcvbn-ts/language-common'

/** Some fifty thousand passwords that many people have, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary['passwords-common'])
