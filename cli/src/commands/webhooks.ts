import type { NotificationType, Webhook, WebhookDelivery } from '@standing/sdk'
import { ownerOf } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import type { OWNER_OPTIONS } from '../options.ts'
import { counted, ID_WIDTH, row, showList } from '../output.ts'
import type { CREATE_OPTIONS, DELIVERIES_OPTIONS, LISTEN_OPTIONS } from '../table/webhooks.ts'
import { listen as listenTo } from '../webhooks/listen.ts'
import { listenOptions } from '../webhooks/options.ts'

type Input = InputOf<typeof OWNER_OPTIONS>

export async function listen(
  { options }: InputOf<typeof LISTEN_OPTIONS>,
  session: Session,
): Promise<number> {
  await listenTo(listenOptions(session, options), session)
  return 0
}

export async function create(
  { words: [url = ''], options }: InputOf<typeof CREATE_OPTIONS>,
  session: Session,
): Promise<number> {
  const { webhooks } = ownerOf(session, options)
  // The service refuses a type that it does not know.
  const events = (options.events ?? '*').split(',') as (NotificationType | '*')[]
  const { description, format } = options
  const webhook = await webhooks.create({ url, events, description, format })
  session.show(webhook, `${webhookLine(webhook)}\nsecret  ${webhook.secret}`)
  session.note(`The secret is not shown again. Try it: standing webhook test ${webhook.id}`)
  return 0
}

export async function list({ options }: Input, session: Session): Promise<number> {
  return showList(ownerOf(session, options).webhooks.list(), session, webhookLine)
}

export async function test(
  { words: [id = ''], options }: Input,
  session: Session,
): Promise<number> {
  const delivery = await ownerOf(session, options).webhooks.test(id)
  session.show(delivery, `queued: ${deliveryLine(delivery)}`)
  session.note(`See the result: standing webhook deliveries ${id}`)
  return 0
}

export async function deliveries(
  { words: [id = ''], options }: InputOf<typeof DELIVERIES_OPTIONS>,
  session: Session,
): Promise<number> {
  const all = ownerOf(session, options).webhooks.deliveries(id)
  return showList(all, session, deliveryLine, options.limit)
}

export async function remove(
  { words: [id = ''], options }: Input,
  session: Session,
): Promise<number> {
  await ownerOf(session, options).webhooks.delete(id)
  session.show({ id, deleted: true }, `${id} is deleted`)
  return 0
}

/** The longest status of each, so that columns line up. */
const WEBHOOK_WIDTHS = [ID_WIDTH, 'disabled'.length]
const DELIVERY_WIDTHS = [ID_WIDTH, 'delivered'.length, 'agent.status_changed'.length]

const REASONS: Readonly<Record<NonNullable<Webhook['statusReason']>, string>> = {
  failing: 'its deliveries failed',
  gone: 'the receiver responded 410',
}

function webhookLine({ id, status, statusReason, url, events }: Webhook): string {
  const reason = statusReason === null ? [] : [`${status} because ${REASONS[statusReason]}`]
  return row([id, status, url, events.join(', '), ...reason], WEBHOOK_WIDTHS)
}

function deliveryLine(delivery: WebhookDelivery): string {
  const { id, status, type, attemptCount, createdAt, lastError } = delivery
  const error = lastError === null ? [] : [`last error: ${lastError}`]
  const attempts = counted(attemptCount, 'attempt')
  return row([id, status, type, createdAt, attempts, ...error], DELIVERY_WIDTHS)
}
