import type { RouteSpecs } from '../../http/route.ts'
import { PageQuery } from '../paging.ts'
import { IdParams } from '../wire.ts'
import {
  CreateWebhookBody,
  RotatedSecret,
  UpdateWebhookBody,
  Webhook,
  WebhookList,
  WebhookWithSecret,
} from './schema.ts'

/** Both may watch agents of others. */
export const HOLDERS = ['owner', 'platform'] as const

const WEBHOOK = { description: 'The subscription', schema: Webhook }

export const WEBHOOK_SPECS = {
  createWebhook: {
    method: 'post',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'Create a webhook subscription',
    description:
      'Owners and platforms. Returns the subscription and its secret, which is shown only in this response. ' +
      'Notifications are signed with it (Standard Webhooks 1.0.0), delivered at least once under one ' +
      '`webhook-id`, and in order for each agent. `FORBIDDEN` with `details.limit` `max_webhooks` when ' +
      'the account has too many.',
    callers: HOLDERS,
    body: CreateWebhookBody,
    responses: {
      201: { description: 'The subscription and its secret', schema: WebhookWithSecret },
    },
  },
  listWebhooks: {
    method: 'get',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    summary: 'List the account’s webhook subscriptions, newest first',
    description:
      'Owners and platforms. Includes paused and disabled subscriptions, with the reason.',
    callers: HOLDERS,
    query: PageQuery,
    responses: { 200: { description: 'A page of subscriptions', schema: WebhookList } },
  },
  getWebhook: {
    method: 'get',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Get a webhook subscription',
    description:
      'The account of the subscription only. Returns its status, and the reason when it is paused or ' +
      'disabled.',
    callers: HOLDERS,
    params: IdParams,
    responses: { 200: WEBHOOK },
  },
  updateWebhook: {
    method: 'patch',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Change a webhook subscription, or resume it',
    description:
      'The account of the subscription only. A new URL, new events and new agents apply to ' +
      'notifications from now on. `status: "active"` resumes a paused or disabled subscription: ' +
      'pending deliveries are sent at once.',
    callers: HOLDERS,
    params: IdParams,
    body: UpdateWebhookBody,
    responses: { 200: WEBHOOK },
  },
  deleteWebhook: {
    method: 'delete',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    summary: 'Delete a webhook subscription',
    description: 'The account of the subscription only. Pending deliveries are not sent.',
    callers: HOLDERS,
    params: IdParams,
    responses: { 204: { description: 'The subscription is deleted' } },
  },
  rotateWebhookSecret: {
    method: 'post',
    path: '/v1/webhooks/{id}/rotate-secret',
    tag: 'Webhooks',
    summary: 'Create a new secret for a webhook subscription',
    description:
      'The account of the subscription only. Returns the new secret, which is shown only in this ' +
      'response. For 24 hours every notification is signed with both secrets.',
    callers: HOLDERS,
    isNeverLimited: true,
    params: IdParams,
    responses: { 201: { description: 'The new secret', schema: RotatedSecret } },
  },
} as const satisfies RouteSpecs
