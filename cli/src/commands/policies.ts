import type { BacktestResult, Decision, PastDecision, Policy, PolicyInput } from '@standing/sdk'
import { DAY_MS } from '../../../src/domain/time.ts'
import { isUuid } from '../../../src/domain/uuid.ts'
import { readJsonObject } from '../../../src/lib/json-object.ts'
import { UsageError } from '../../../src/lib/user-error.ts'
import { reporterOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import type { PLATFORM_OPTIONS } from '../options.ts'
import { counted, showList } from '../output.ts'
import { inLine } from '../printable.ts'
import type { ASK_OPTIONS, DECISION_OPTIONS, TEST_OPTIONS } from '../table/policies.ts'

type Input = InputOf<typeof PLATFORM_OPTIONS>

export async function list({ options }: Input, session: Session): Promise<number> {
  return showList(reporterOf(session, options).policies.list(), session, lineOf)
}

export async function set(
  { words: [name = '', file = ''], options }: Input,
  session: Session,
): Promise<number> {
  const policy = await readPolicy(file)
  const stored = await reporterOf(session, options).policies.put(name, policy)
  session.show(stored, lineOf(stored))
  return 0
}

export async function remove(
  { words: [name = ''], options }: Input,
  session: Session,
): Promise<number> {
  await reporterOf(session, options).policies.delete(name)
  session.show({ name, deleted: true }, `deleted: ${name}`)
  return 0
}

/** Long enough to have seen disputes, short enough to be about the agents of today. */
const DAYS = 90

export async function test(
  { words: [name = ''], options }: InputOf<typeof TEST_OPTIONS>,
  session: Session,
): Promise<number> {
  const policy = options.file === undefined ? undefined : await readPolicy(options.file)
  const now = Date.now()
  const result = await reporterOf(session, options).policies.backtest(name, {
    from: options.from ?? new Date(now - DAYS * DAY_MS).toISOString(),
    to: options.to ?? new Date(now).toISOString(),
    policy,
  })
  session.show(result, report(result))
  return 0
}

export async function decisions(
  { options }: InputOf<typeof DECISION_OPTIONS>,
  session: Session,
): Promise<number> {
  const list = reporterOf(session, options).decisions.list()
  return showList(list, session, decisionLine, options.limit)
}

export async function ask(
  { words: [agent = ''], options }: InputOf<typeof ASK_OPTIONS>,
  session: Session,
): Promise<number> {
  const { action, amount, currency, policy } = options
  const decision = await reporterOf(session, options).decisions.decide({
    ...(isUuid(agent) ? { agentId: agent } : { identifier: agent }),
    action,
    amount: amount === undefined ? undefined : amountOf(amount),
    currency,
    policy,
  })
  session.show(decision, verdictOf(decision))
  return decision.decision === 'allow' ? 0 : 1
}

/** @throws UsageError unless it is a number: `1,000` would be no amount at all */
function amountOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) {
    return Number(text)
  }
  throw new UsageError(`--amount must be a number such as 1000 or 12.50, not ${text}.`)
}

function verdictOf({ decision, reasons, agent, score, confidence }: Decision): string {
  const why = reasons.map(({ message }) => `${decision}: ${inLine(message)}`)
  const about =
    agent && `${inLine(agent.displayName)} (${agent.id}): score ${score}, ${confidence} confidence`
  return [...why, ...(about ? [about] : [])].join('\n')
}

/** The service refuses a field that it does not know. */
async function readPolicy(path: string): Promise<PolicyInput> {
  return (await readJsonObject(path, '{ "minScore": 650 }')) as PolicyInput
}

function lineOf({ name, minScore, minConfidence, unknown, disputed, maxExposure }: Policy): string {
  const most = maxExposure === null ? 'no limit' : `$${maxExposure}`
  return (
    `${name}: score ${minScore}, confidence ${minConfidence}, unknown ${unknown}, ` +
    `disputed ${disputed}, exposure ${most}`
  )
}

function decisionLine({ createdAt, decision, agent, identifier, reasons }: PastDecision): string {
  const about = agent?.displayName ?? identifier ?? 'no agent named'
  return `${createdAt} ${decision} ${inLine(about)}: ${reasons.map(({ code }) => code).join(', ')}`
}

function report(result: BacktestResult): string {
  const { deals, isTruncated, expectedLoss, expectedLossWithout, tradeOff } = result
  // Without a deal the mean is 0, which would look as if no loss were expected.
  const allowed = result.allow.deals === 0 ? 'none is allowed' : money(expectedLoss)
  const rows = (['allow', 'review', 'deny'] as const).map((verdict) => {
    const { deals: count, good, bad, amount, loss } = result[verdict]
    return figuresRow([verdict, count, good, bad, money(amount), money(loss)])
  })
  const curve = tradeOff
    .filter(({ allowed }, i) => i === 0 || allowed !== tradeOff[i - 1]?.allowed)
    .map((point) =>
      figuresRow([point.minScore, point.allowed, point.goodNotAllowed, '', '', money(point.loss)]),
    )
  return [
    `${counted(deals, 'deal')}${isTruncated ? ', the newest of more' : ''}`,
    figuresRow(['', 'deals', 'good', 'bad', 'amount', 'loss']),
    ...rows,
    `expected loss of a deal: ${allowed}, without a policy ${money(expectedLossWithout)}`,
    '',
    'with another minimum score (lost: good deals that are not allowed):',
    figuresRow(['score', 'allowed', 'lost', '', '', 'loss']),
    ...curve,
  ].join('\n')
}

/** Wide enough for a figure with its heading. */
const FIGURE_WIDTH = 10

function figuresRow(cells: readonly (string | number)[]): string {
  return cells
    .map((cell) => String(cell).padStart(FIGURE_WIDTH))
    .join('')
    .trimEnd()
}

function money(amount: number): string {
  return `$${amount.toFixed(2)}`
}
