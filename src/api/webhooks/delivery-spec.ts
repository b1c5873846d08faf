import type { RouteSpecs } from '../../http/route.ts'
import { IdParams } from '../wire.ts'
import {
  Delivery,
  DeliveryDetails,
  DeliveryList,
  DeliveryParams,
  DeliveryQueryParams,
  RecoverBody,
  Recovered,
} from './delivery-schema.ts'
import { HOLDERS } from './spec.ts'

const QUEUED = { 202: { description: 'The delivery, queued', schema: Delivery } }

export const DELIVERY_SPECS = {
  listWebhookDeliveries: {
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    tag: 'Webhooks',
    summary: 'List the deliveries of a subscription, newest first',
    description:
      'The account of the subscription only. Returns delivered, failed and pending deliveries of the ' +
      'last 30 days.',
    callers: HOLDERS,
    params: IdParams,
    query: DeliveryQueryParams,
    responses: { 200: { description: 'A page of deliveries', schema: DeliveryList } },
  },
  getWebhookDelivery: {
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
    tag: 'Webhooks',
    summary: 'Get a delivery with its notification and attempts',
    description:
      'The account of the subscription only. Returns the data of the notification and, for each ' +
      'attempt, its time, its duration and the response of the receiver.',
    callers: HOLDERS,
    params: DeliveryParams,
    responses: { 200: { description: 'The delivery', schema: DeliveryDetails } },
  },
  redeliverWebhook: {
    method: 'post',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    tag: 'Webhooks',
    summary: 'Send a delivery again',
    description:
      'The account of the subscription only. Queues the notification again under the same `webhook-id`, ' +
      'with its own retries and outside the order of its agent; a pending delivery is attempted now. ' +
      '`CONFLICT` when the subscription is disabled.',
    callers: HOLDERS,
    params: DeliveryParams,
    responses: QUEUED,
    errors: ['CONFLICT'],
  },
  recoverWebhook: {
    method: 'post',
    path: '/v1/webhooks/{id}/recover',
    tag: 'Webhooks',
    summary: 'Send again what was not delivered since a time',
    description:
      'The account of the subscription only. Queues, in order, the failed deliveries and the ' +
      'notifications from the time when the subscription was disabled; what was delivered is not sent ' +
      'again. `CONFLICT` when the subscription is disabled.',
    callers: HOLDERS,
    params: IdParams,
    body: RecoverBody,
    responses: { 202: { description: 'The number of deliveries queued', schema: Recovered } },
    errors: ['CONFLICT'],
  },
  testWebhook: {
    method: 'post',
    path: '/v1/webhooks/{id}/test',
    tag: 'Webhooks',
    summary: 'Send a test notification',
    description:
      'The account of the subscription only. Queues a notification of type `webhook.test`; get its ' +
      'delivery to see the response of the receiver. `CONFLICT` when the subscription is disabled.',
    callers: HOLDERS,
    params: IdParams,
    responses: QUEUED,
    errors: ['CONFLICT'],
  },
} as const satisfies RouteSpecs
