import type { Schema } from '../schema.ts'

type Notifications = Schema<'Notifications'>

/** `webhook.test` is sent by `webhooks.test` and cannot be subscribed to. */
export type DeliveredType = keyof Notifications
export type NotificationType = Exclude<DeliveredType, 'webhook.test'>
/** The body of a delivery: `type` says what `data` is. Later releases may have further types. */
export type Notification<Type extends DeliveredType = DeliveredType> = Notifications[Type]
export type NotificationData<Type extends DeliveredType = DeliveredType> =
  Notification<Type>['data']

export interface Webhook extends Schema<'Webhook'> {}
export type WebhookStatus = Webhook['status']
/** A subscription with its `secret`, which no other answer carries. */
export interface WebhookWithSecret extends Schema<'WebhookWithSecret'> {}
export interface WebhookInput extends Schema<'CreateWebhook'> {}
/** `status: 'active'` resumes a paused or disabled subscription. */
export interface WebhookPatch extends Schema<'UpdateWebhook'> {}
/** Until it expires, each notification is signed with the previous secret as well. */
export interface RotatedSecret extends Schema<'RotatedSecret'> {}

/** A notification on its way to a subscription. Deliveries are kept for 30 days. */
export interface WebhookDelivery extends Schema<'WebhookDelivery'> {}
export interface WebhookDeliveryDetails extends Schema<'WebhookDeliveryDetails'> {}
export interface WebhookAttempt extends Schema<'WebhookAttempt'> {}
export type DeliveryStatus = WebhookDelivery['status']
export type DeliveryQuery = Schema<'listWebhookDeliveriesQuery'>
/** `complete` is false where there is more to recover than one call queues. */
export interface Recovered extends Schema<'RecoveredWebhook'> {}

export interface ListenInput extends Schema<'CreateListener'> {}
/** Ends ten minutes after it was last read from. */
export interface Listener extends Schema<'Listener'> {}
/** `waitSeconds`, 0 to 5: how long to wait where there is nothing yet. */
export type NotificationQuery = Schema<'listListenerNotificationsQuery'>
export interface NotificationPage {
  readonly data: readonly Notification[]
  /** The cursor of the next call; null before the first notification. */
  readonly nextCursor: string | null
}

/** An agent of another account that is watched. */
export interface Watch extends Schema<'Watch'> {}
