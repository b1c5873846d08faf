import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished } from 'vitest'
import { httpReceiver } from '../../src/outbound/testing/receiver.ts'
import { noticeComplaints } from './conformance.ts'
import { eventually } from './eventually.ts'

export interface Body {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  readonly data: any
}

export interface Posted {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Body
}

export type AnswerPost = (response: ServerResponse, post: Posted) => unknown

/**
 * A receiver of webhooks on loopback, closed when the test is done. What it gets is held to the
 * OpenAPI document, unless the test made it up.
 */
export async function startReceiver({ isMadeUp = false } = {}) {
  const posts: Posted[] = []
  const complaints: string[] = []
  const secrets: string[] = []
  let answer: AnswerPost = (response) => response.end('thanks')
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const post = { headers: request.headers, text, body: JSON.parse(text) as Body }
      posts.push(post)
      if (!isMadeUp) {
        complaints.push(...noticeComplaints(post.body.type, text))
      }
      answer(response, post)
    })
  }
  const server = await httpReceiver(listener)
  onTestFinished(server.close)
  onTestFinished(() => expect(complaints).toEqual([]))
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    port: server.port,
    posts,
    secrets,
    get bodies() {
      return posts.map(({ body }) => body)
    },
    /** How it answers from now on; by default 200. */
    answer(how: AnswerPost) {
      answer = how
    },
    /** How many of its secrets a post is signed with, by an independent verifier. */
    verified: (post: Posted) =>
      secrets.filter((secret) => verifies(secret, post.text, post.headers)).length,
    until: (count: number) =>
      eventually(
        () => {
          if (posts.length < count) {
            throw new Error(`${posts.length} of ${count} posts arrived`)
          }
        },
        { interval: 5 },
      ),
  }
}

/** A receiver that answers nothing until it is released, and then everything. */
export async function startSlowReceiver() {
  const receiver = await startReceiver()
  const held: ServerResponse[] = []
  receiver.answer((response) => held.push(response))
  return {
    receiver,
    release() {
      receiver.answer((response) => response.end('thanks'))
      for (const response of held.splice(0)) {
        response.end('thanks')
      }
    },
  }
}

export function verifies(secret: string, text: string, headers: IncomingHttpHeaders): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}
