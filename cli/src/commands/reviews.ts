import type { BulkReviewInput, ReviewItem, ReviewQuery } from '@standing/sdk'
import { UsageError, UserError } from '../../../src/lib/user-error.ts'
import { operatorOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import type { OPERATOR_OPTIONS } from '../options.ts'
import { counted, ID_WIDTH, row, showList, TIME_WIDTH } from '../output.ts'
import type { DECIDE_OPTIONS, LIST_OPTIONS } from '../table/reviews.ts'

export async function list(
  { options }: InputOf<typeof LIST_OPTIONS>,
  session: Session,
): Promise<number> {
  const reviews = operatorOf(session, options).operator.reviews(filterOf(options))
  return showList(reviews, session, itemLine, options.limit)
}

export async function get(
  { words: [eventId = ''], options }: InputOf<typeof OPERATOR_OPTIONS>,
  session: Session,
): Promise<number> {
  for await (const item of operatorOf(session, options).operator.reviews()) {
    if (item.id === eventId) {
      session.show(item, itemText(item))
      return 0
    }
  }
  throw new UserError(
    `No event ${eventId} awaits review. standing review list shows those that do.`,
  )
}

type DecideInput = InputOf<typeof DECIDE_OPTIONS>

export function release(input: DecideInput, session: Session): Promise<number> {
  return decide(input, session, 'released')
}

export function uphold(input: DecideInput, session: Session): Promise<number> {
  return decide(input, session, 'upheld')
}

async function decide(
  { words: [eventId], options, flags }: DecideInput,
  session: Session,
  decision: 'released' | 'upheld',
): Promise<number> {
  const { reason } = options
  if ((eventId === undefined) !== flags.has('all')) {
    throw new UsageError('Give the id of one event, or --all with --rule, --agent or --reporter.')
  }
  const { operator } = operatorOf(session, options)
  if (eventId !== undefined) {
    const event = await operator.review(eventId, { decision, reason })
    session.show(event, `${event.id} is ${decision}`)
    return 0
  }
  const filter = filterOf(options)
  if (Object.values(filter).every((value) => value === undefined)) {
    throw new UsageError(
      '--all needs --rule, --agent or --reporter: name the events that are meant.',
    )
  }
  let reviewed = 0
  for (let more = true; more; ) {
    const input = { decision, reason, ...filter } as BulkReviewInput
    const answer = await operator.reviewAll(input)
    reviewed += answer.reviewed
    more = answer.more
  }
  session.show(
    { reviewed, decision },
    `${counted(reviewed, 'event')} ${reviewed === 1 ? 'is' : 'are'} ${decision}`,
  )
  return 0
}

function filterOf(
  options: Readonly<Partial<Record<'rule' | 'agent' | 'reporter', string>>>,
): ReviewQuery {
  return {
    // The service refuses a rule that it does not know.
    rule: options.rule as ReviewQuery['rule'],
    agentId: options.agent,
    reporterId: options.reporter,
  }
}

/** The longest type, so that columns line up. */
const WIDTHS = [ID_WIDTH, TIME_WIDTH, 'payment.completed'.length]

function itemLine({ id, createdAt, type, fraudFlags }: ReviewItem): string {
  return row([id, createdAt, type, fraudFlags.join(', ')], WIDTHS)
}

function itemText(item: ReviewItem): string {
  const { agent, reporter, reporterRecord, findings, data, agentId } = item
  return [
    itemLine(item),
    `agent     ${agentId}${agent ? `, ${agent.score} (${agent.classification}), ${counted(agent.events, 'event')} that ${agent.events === 1 ? 'counts' : 'count'}` : ''}`,
    `reporter  ${reporter.kind} ${reporter.id}${reporterRecord ? `, ${counted(reporterRecord.total, 'report')}, ${reporterRecord.quarantined} quarantined` : ''}`,
    `data      ${JSON.stringify(data)}`,
    ...findings.map(({ rule, severity, sentence }) => `${rule} (${severity}): ${sentence}`),
    '',
    `Decide: standing review release ${item.id} --reason TEXT, or standing review uphold …`,
  ].join('\n')
}
