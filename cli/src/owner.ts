import type { Standing } from '@standing/sdk'
import { UserError } from '../../src/lib/user-error.ts'

/** The id of an owner that is named by id, or by the e-mail of a person of the account. */
export async function ownerIdOf(operator: Standing['operator'], named: string): Promise<string> {
  if (!named.includes('@')) {
    return named
  }
  const [owner] = (await operator.listOwners({ email: named })).data
  if (!owner) {
    throw new UserError(`No owner has the e-mail address ${named}.`)
  }
  return owner.id
}
