import { expect, inject, test } from 'vitest'
import { callAs } from '../demo/caller.ts'
import { expectNothingWrong } from './browser.ts'
import { setUpPeople } from './people.ts'

const demo = inject('demo')
const people = setUpPeople()

/** The identifiers of a new agent, with one claim of the given value. */
async function openClaim(type: string, value: string) {
  const owner = callAs(demo.url, people.sessions.owner.credential)
  const { id } = await owner.post('/v1/agents', { displayName: `Named ${Date.now()}` })
  const watched = await people.open('owner')
  const { page } = watched
  await page.goto(`/my/agents/${id}/identifiers`)
  await page.getByRole('button', { name: 'Claim an identifier' }).first().click()
  await page.getByRole('dialog').getByLabel('Kind').selectOption(type)
  await page.getByRole('dialog').getByLabel('Identifier', { exact: true }).fill(value)
  await page.getByRole('dialog').getByRole('button', { name: 'Claim an identifier' }).click()
  return watched
}

test('a value that is no name of its type is refused beside the field, with the reason', async () => {
  const { page, close } = await openClaim('domain', '-a.example.com')
  await page.getByText('has a label that starts with a hyphen').first().waitFor()
  await close()
})

test('a name that cannot be proven here is said to be one, without a field for a signature', async () => {
  const watched = await openClaim('did', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz')
  const { page } = watched
  await page.getByText('This service cannot check a proof of this name.').waitFor()
  expect(await page.getByLabel('Signature of the challenge').count()).toBe(0)
  expect(await page.getByText('One of these is enough:').count()).toBe(0)
  expectNothingWrong(watched)
  await watched.close()
})
