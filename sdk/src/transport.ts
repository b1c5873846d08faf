import { attempt } from './attempt.ts'
import type { Call, Send } from './call.ts'
import { StandingError } from './error.ts'
import type { CredentialOptions } from './options.ts'
import { requestOf } from './request.ts'
import { retryDelay, waitReason } from './retry.ts'
import type { Settings } from './settings.ts'
import { createSign } from './sign.ts'
import { waitFor } from './timer.ts'
import { urlOf } from './url.ts'

export function createTransport(settings: Settings): Send {
  const { baseUrl, credentials, policy, signingKey, onWait, wait = waitFor } = settings
  const sign = signingKey === undefined ? undefined : createSign(signingKey)

  return async <T>(call: Call): Promise<T> => {
    const { method, path, options } = call
    const url = urlOf(baseUrl, path, call.query)
    // Made once: every attempt must carry the same key, or a repeat would be a second effect.
    const request = await requestOf(settings, call)
    let triedMs = 0
    let askedMs = 0
    for (let attempts = 1; ; attempts++) {
      // The time of a call's repeats counts from its first failure; to load the clock takes a while itself.
      const began = attempts > 1 ? performance.now() : undefined
      // Signed for each attempt: a signature is good for five minutes only.
      const signed = sign && isReport(credentials, call) ? await sign(url, request) : request
      const answer = await attempt(settings, url, signed, call)
      if (!(answer instanceof StandingError)) {
        return answer.body as T
      }
      if (began !== undefined) {
        triedMs += performance.now() - began
      }
      const delay = retryDelay(answer, { attempts, triedMs, askedMs }, policy, Math.random())
      if (delay === undefined) {
        throw answer
      }
      triedMs += delay.backoffMs
      askedMs += delay.askedMs
      const ms = delay.askedMs + delay.backoffMs
      const reason = waitReason(answer)
      onWait?.({ reason, seconds: ms / 1000, attempt: attempts, method, path, error: answer })
      await wait(ms, options?.signal)
    }
  }
}

/** A platform's reports are signed, and nothing else. */
function isReport({ apiKey }: CredentialOptions, { method, path, as }: Call): boolean {
  const isPlatform = as.includes('apiKey') && apiKey?.startsWith('avp_') === true
  return isPlatform && method === 'POST' && /^\/v1\/agents\/[^/]+\/events(\/batch)?$/.test(path)
}
