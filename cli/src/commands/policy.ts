import { readFile } from 'node:fs/promises'
import { type BacktestResult, type Policy, type PolicyInput, Standing } from '@standing/sdk'
import { DAY_MS } from '../../../src/domain/time.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { defineCommand, type Terminal } from '../command.ts'
import { serviceUrl, URL_OPTION } from '../service-url.ts'

const OPTIONS = [
  URL_OPTION,
  {
    name: 'key',
    value: 'KEY',
    help: 'the API key of the platform whose policies they are; required',
    env: ['STANDING_API_KEY'],
  },
] as const

interface KeyOptions {
  readonly url?: string
  readonly key?: string
}

export const policyList = defineCommand({
  name: 'policy list',
  operands: [],
  summary: 'List the policies of a platform',
  options: OPTIONS,
  example: 'standing policy list --key avp_…',
  async run({ options }, terminal) {
    for await (const policy of clientOf(terminal, options).policies.list()) {
      terminal.say(lineOf(policy))
    }
    return 0
  },
})

export const policySet = defineCommand({
  name: 'policy set',
  operands: ['NAME', 'FILE'],
  summary: 'Store a policy from a JSON file under a name',
  options: OPTIONS,
  example: 'standing policy set purchases policy.json',
  async run({ words: [name = '', file = ''], options }, terminal) {
    const policy = await readPolicy(file)
    terminal.say(lineOf(await clientOf(terminal, options).policies.put(name, policy)))
    return 0
  },
})

export const policyDelete = defineCommand({
  name: 'policy delete',
  operands: ['NAME'],
  summary: 'Delete a policy',
  options: OPTIONS,
  example: 'standing policy delete purchases',
  async run({ words: [name = ''], options }, terminal) {
    await clientOf(terminal, options).policies.delete(name)
    terminal.say(`deleted: ${name}`)
    return 0
  },
})

/** Long enough to have seen disputes, short enough to be about the agents of today. */
const DAYS = 90
export const policyTest = defineCommand({
  name: 'policy test',
  operands: ['NAME'],
  summary:
    'Show what a policy would have decided on the platform’s own history, and what came of it',
  options: [
    ...OPTIONS,
    { name: 'file', value: 'FILE', help: 'test the policy of this JSON file, and store nothing' },
    { name: 'from', value: 'TIME', help: `earliest time (default ${DAYS} days ago)` },
    { name: 'to', value: 'TIME', help: 'latest time (default now)' },
    { name: 'json', help: 'print the response as it is' },
  ],
  example: 'standing policy test purchases --file policy.json',
  async run({ words: [name = ''], options, flags }, terminal) {
    const policy = options.file === undefined ? undefined : await readPolicy(options.file)
    const now = Date.now()
    const result = await clientOf(terminal, options).policies.backtest(name, {
      from: options.from ?? new Date(now - DAYS * DAY_MS).toISOString(),
      to: options.to ?? new Date(now).toISOString(),
      policy,
    })
    terminal.say(flags.has('json') ? JSON.stringify(result) : report(result))
    return 0
  },
})

function clientOf(terminal: Terminal, options: KeyOptions): Standing {
  const apiKey = options.key ?? terminal.env.STANDING_API_KEY
  if (!apiKey) {
    throw new UserError('--key is missing: the API key of the platform, or $STANDING_API_KEY.')
  }
  return new Standing({ baseUrl: serviceUrl(terminal, options), apiKey, retriesMax: 1 })
}

async function readPolicy(path: string): Promise<PolicyInput> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : error
    throw new UserError(`${path} cannot be read: ${reason}`)
  })
  try {
    return JSON.parse(text) as PolicyInput
  } catch {
    throw new UserError(`${path} is not JSON, such as { "minScore": 650 }.`)
  }
}

function lineOf({ name, minScore, minConfidence, unknown, disputed, maxExposure }: Policy): string {
  const most = maxExposure === null ? 'no limit' : `$${maxExposure}`
  return (
    `${name}: score ${minScore}, confidence ${minConfidence}, unknown ${unknown}, ` +
    `disputed ${disputed}, exposure ${most}`
  )
}

function report(result: BacktestResult): string {
  const { deals, isTruncated, expectedLoss, expectedLossWithout, tradeOff } = result
  const rows = (['allow', 'review', 'deny'] as const).map((verdict) => {
    const { deals: count, good, bad, amount, loss } = result[verdict]
    return row([verdict, count, good, bad, money(amount), money(loss)])
  })
  const curve = tradeOff
    .filter(({ allowed }, i) => i === 0 || allowed !== tradeOff[i - 1]?.allowed)
    .map((point) =>
      row([point.minScore, point.allowed, point.goodNotAllowed, '', '', money(point.loss)]),
    )
  return [
    `${deals} deals${isTruncated ? ', the newest of more' : ''}`,
    row(['', 'deals', 'good', 'bad', 'amount', 'loss']),
    ...rows,
    `expected loss of a deal: ${money(expectedLoss)}, without a policy ${money(expectedLossWithout)}`,
    '',
    'with another least score:',
    row(['score', 'allowed', 'good not', '', '', 'loss']),
    ...curve,
  ].join('\n')
}

function row(cells: readonly (string | number)[]): string {
  return cells
    .map((cell) => String(cell).padStart(10))
    .join('')
    .trimEnd()
}

function money(amount: number): string {
  return `$${amount.toFixed(2)}`
}
