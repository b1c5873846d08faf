import type { Mapping, MappingDryRunResult, MappingInput } from '@standing/sdk'
import { readJsonObject } from '../../../src/lib/json-object.ts'
import { reporterOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import type { PLATFORM_OPTIONS } from '../options.ts'
import { counted, row, showList } from '../output.ts'
import { inLine } from '../printable.ts'
import type { LIST_OPTIONS, TEST_OPTIONS } from '../table/mappings.ts'

type Input = InputOf<typeof PLATFORM_OPTIONS>

export async function list(
  { options }: InputOf<typeof LIST_OPTIONS>,
  session: Session,
): Promise<number> {
  return showList(reporterOf(session, options).mappings.list(), session, lineOf, options.limit)
}

export async function get(
  { words: [name = ''], options }: Input,
  session: Session,
): Promise<number> {
  const mapping = await reporterOf(session, options).mappings.get(name)
  const { rules, sample, sender } = mapping
  session.show(mapping, JSON.stringify({ rules, sample, sender }, null, 2))
  return 0
}

export async function set(
  { words: [name = '', file = ''], options }: Input,
  session: Session,
): Promise<number> {
  const mapping = await readMapping(file)
  const stored = await reporterOf(session, options).mappings.put(name, mapping)
  session.show(stored, lineOf(stored))
  return 0
}

export async function remove(
  { words: [name = ''], options }: Input,
  session: Session,
): Promise<number> {
  await reporterOf(session, options).mappings.delete(name)
  session.show({ name, deleted: true }, `deleted: ${name}`)
  return 0
}

export async function test(
  { words: [name = '', file = ''], options }: InputOf<typeof TEST_OPTIONS>,
  session: Session,
): Promise<number> {
  const payload = await readJsonObject(file, '{ "id": "evt_4711" }')
  const rules = options.file === undefined ? undefined : (await readMapping(options.file)).rules
  const result = await reporterOf(session, options).mappings.dryRun(name, { payload, rules })
  session.show(result, textOf(result))
  return result.outcome === 'report' ? 0 : 1
}

/** The service refuses a field that it does not know. */
async function readMapping(path: string): Promise<MappingInput> {
  return (await readJsonObject(path, '{ "rules": […], "sample": {…} }')) as unknown as MappingInput
}

/** As wide as most names. */
const NAME_WIDTH = 20

function lineOf({ name, rules, sender, path }: Mapping): string {
  const from = sender === null ? 'no sender of its own' : `${sender.scheme} posts to ${path}`
  return row([name, counted(rules.length, 'rule'), from], [NAME_WIDTH, 'NN rules'.length])
}

function textOf({ outcome, agentId, event, issues }: MappingDryRunResult): string {
  switch (outcome) {
    case 'report':
      return `about agent ${agentId}:\n${JSON.stringify(event, null, 2)}`
    case 'ignored':
      return 'ignored: the conditions of no rule hold'
    case 'refused':
      return issues.map(({ path, message }) => inLine(`refused: ${path} ${message}`)).join('\n')
  }
}
