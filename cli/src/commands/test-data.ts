import { clientOf, credentialsOf, ownerOf, serviceUrl } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { confirm } from '../confirmed.ts'
import { CredentialError } from '../exit-codes.ts'
import { showNewKey } from '../new-key.ts'
import { counted } from '../output.ts'
import { inLine } from '../printable.ts'
import type { DELETE_OPTIONS, PLATFORM_OPTIONS } from '../table/test-data.ts'

export async function platform(
  { words: [name], options }: InputOf<typeof PLATFORM_OPTIONS>,
  session: Session,
): Promise<number> {
  const { apiKey, token } = credentialsOf(session, options)
  const given = token ?? apiKey
  if (!given) {
    throw new CredentialError(
      'Sign in with standing login, or pass the key of your platform: --key',
    )
  }
  // An owner's credential before a platform's: where both are given, the platform is for the owner's agents.
  const client = clientOf(session, { baseUrl: serviceUrl(session, options), apiKey: given })
  const created = await client.testData.createPlatform({ name })
  const text = `test platform  ${created.id}  ${inLine(created.name)}\nkey            ${created.apiKey}`
  showNewKey(session, created, text)
  return 0
}

export async function remove(
  { options, flags }: InputOf<typeof DELETE_OPTIONS>,
  session: Session,
): Promise<number> {
  await confirm(session, flags, 'This deletes all test agents, platforms and webhooks')
  const deleted = await ownerOf(session, options).testData.delete()
  const { agents, platforms, webhooks } = deleted
  const all = [
    counted(agents, 'agent'),
    counted(platforms, 'platform'),
    counted(webhooks, 'webhook'),
  ]
  session.show(deleted, `deleted: ${all.join(', ')}`)
  return 0
}
