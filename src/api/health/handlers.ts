import { unavailable } from '../../domain/error.ts'
import { ok, okContent } from '../../http/response.ts'
import { bind, type Route } from '../../http/route.ts'
import { NO_STORE } from '../caching.ts'
import { HEALTH_SPECS } from './spec.ts'

export interface HealthDeps {
  /** Why the service cannot serve at the moment; null when it can. */
  readonly notReady: () => Promise<string | null>
  /** What it does not do at the moment although it is ready; null when it does everything. */
  readonly degraded: () => string | null
  readonly metrics: {
    readonly contentType: string
    text(): Promise<string>
  }
}

export function healthRoutes(deps: HealthDeps): readonly Route[] {
  return bind(HEALTH_SPECS, deps, { getHealth, getReadiness, getMetrics })
}

async function getHealth() {
  return ok({ status: 'ok' }, NO_STORE)
}

async function getReadiness({ notReady, degraded }: HealthDeps) {
  const reason = await notReady()
  if (reason !== null) {
    throw unavailable(`not ready: ${reason}`, { reason })
  }
  const lacking = degraded()
  return ok(lacking === null ? { status: 'ok' } : { status: 'degraded', reason: lacking }, NO_STORE)
}

async function getMetrics({ metrics }: HealthDeps) {
  return okContent(await metrics.text(), metrics.contentType, NO_STORE)
}
