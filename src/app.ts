import type { BlockList } from 'node:net'
import { ABOUT } from './api/about.ts'
import { documentAt } from './api/describe.ts'
import { gateEndpoints } from './api/gate/endpoints.ts'
import { createModes } from './api/modes.ts'
import { linkPages } from './api/owners/link-pages.ts'
import { oidcPages } from './api/owners/oidc-pages.ts'
import { profilePages } from './api/profiles/pages.ts'
import { type ApiDeps, routesOf } from './api/routes.ts'
import type { Setup } from './auth/setup.ts'
import { addressOf, isTrusted } from './http/address.ts'
import { basePathOf } from './http/base-path.ts'
import { createBodyBuffer } from './http/body-buffer.ts'
import { createEdge, type EdgeOptions, type RequestHandler } from './http/edge.ts'
import { type Endpoint, pageEndpoint } from './http/endpoint.ts'
import { createIntake } from './http/intake.ts'
import { createInternalCall } from './http/internal-call.ts'
import type { StorageLimits } from './http/limits.ts'
import { operationEndpoint } from './http/operation.ts'
import { refusalOf } from './http/refuse.ts'
import type { Route } from './http/route.ts'
import type { Log } from './lib/log.ts'
import { mcpEndpoint } from './mcp/endpoint.ts'
import { startBackgroundTasks } from './ops/background-tasks.ts'
import type { DiskGuard } from './ops/disk.ts'
import { createProxyWatch, storeUntrustedProxy } from './ops/proxy-watch.ts'
import { logRequest } from './ops/request-log.ts'
import { watchService } from './ops/service-metrics.ts'
import { createTaskWatch } from './ops/task-metrics.ts'
import { errorPageFor, pageRoutes } from './pages/routes.ts'
import { forwardReports } from './processes/forward-reports.ts'
import { recordForOthers } from './processes/record-for-others.ts'
import { RECORDS_ITSELF, type Reporting } from './processes/reporting.ts'
import type { Worker } from './processes/worker.ts'
import { createQuotas } from './quotas/quotas.ts'
import { createServices, type ServicesOptions } from './services.ts'
import type { InstallationFiles } from './startup/installation-files.ts'
import { type Change, StoreBusy, StoreFull } from './store/store.ts'

export interface AppOptions extends ServicesOptions, InstallationFiles {
  readonly setup: Setup
  readonly trustProxy: BlockList
  readonly disk: DiskGuard
  /** Whether each request is logged. */
  readonly requestLog: boolean
  /** Whether the service is shutting down. */
  readonly isDraining: () => boolean
  /** Which of several processes of this machine this is; null where it is the only one. */
  readonly worker: Pick<Worker, 'number' | 'reportSocket'> | null
  /** Publishes on this node what another process of the machine has changed. */
  readonly onChange: (change: Change) => void
  /** Counts the processes of this machine to which this one sends changes itself. */
  readonly linkedNodes: { count: number }
}

export interface App {
  readonly handle: RequestHandler
  /** The path of the base URL, without a slash at the end. */
  readonly basePath: string
  /** Ends the responses that go on, so that their connections can close. */
  endStreams(): void
  /** Answers what other processes have forwarded, or ends the connection to the one that records. */
  closeReporting(): Promise<void>
  /** Ends the work that no request waits for any more. */
  closeBackground(): Promise<void>
  /** Writes the counted requests. */
  close(): Promise<void>
}

/** Joins the services, the handlers that use them, and the edge that serves the handlers. */
export async function createApp(options: AppOptions): Promise<App> {
  const { context, metrics, log, isDraining } = options
  const basePath = options.publicUrl === null ? '' : basePathOf(options.publicUrl)
  const onError = backgroundErrors(log)
  const quotas = createQuotas(context, onError)
  const tasks = createTaskWatch(metrics)
  const services = await createServices(options, quotas, tasks)
  const intake = createIntake({ isReadOnly: () => isReadOnly(options), isDraining })
  const { deps, authenticator } = services
  watchService(metrics, { ...deps, version: ABOUT.version, intake, quotas, authenticator })
  const reporting = reportingOf(options)
  const handle = createEdge(
    {
      authenticate: authenticator.authenticate,
      limits: quotas.requests,
      intake,
      buffer: createBodyBuffer(),
      isDraining,
      isSecure: options.publicUrl?.startsWith('https://') ?? false,
      newId: context.newId,
      basePath,
      addressOf: addressReader(options),
      errorPage: errorPageFor(basePath),
      onResponse: metrics.responded,
      onRefused: metrics.refused,
      onServed: watcherOf(options),
      traced: options.tracing?.request ?? null,
      onFault: faultLog(options),
    },
    endpointsOf(options, basePath, deps, { reporting, storage: quotas.storedResponses }),
  )
  await reporting
    .open()
    .catch((err) =>
      log.warn({ err }, 'other workers cannot forward reports, and write more slowly'),
    )
  const background = startBackgroundTasks({
    ...deps,
    context,
    keyUse: services.keyUse,
    sweepCredentials: services.sweepCredentials,
    retention: context.settings.retention,
    onRemoved: metrics.removed,
    watched: tasks.watched,
    schedule: options.schedule,
    onError,
    log,
  })
  const closeBackground = async () => {
    await Promise.all([background.close(), services.closeBackground()])
    await services.close()
  }
  const { endStreams } = services
  return {
    handle,
    basePath,
    endStreams,
    closeReporting: reporting.close,
    closeBackground,
    close: quotas.close,
  }
}

/** The first worker records the reports of all. */
function reportingOf(options: AppOptions): Reporting {
  const { worker, changes, linkedNodes, onChange } = options
  const socketPath = worker?.reportSocket ?? null
  if (worker === null || socketPath === null) {
    return RECORDS_ITSELF
  }
  const onFault = faultLog(options)
  return worker.number === 1
    ? recordForOthers({
        socketPath,
        changes,
        linkedNodes,
        refusalOf: (error, requestId) => refusalOf({ onFault }, error, requestId),
      })
    : forwardReports({ socketPath, onChange })
}

/** Whether nothing may be written at the moment. */
function isReadOnly({ disk }: Pick<AppOptions, 'disk'>): boolean {
  return disk.problem() !== null
}

function backgroundErrors(log: Log): (error: unknown) => void {
  return (err) => log.warn({ err }, 'a background task failed; it will run again')
}

const UNTRUSTED_PROXY =
  'nearly all requests come through a proxy that STANDING_TRUST_PROXY does not list: its clients ' +
  'share one address, and with it their limits and sign-in failures'

/** Finds the address of a client, and notices proxies that are not trusted. */
function addressReader({ context, trustProxy, log }: AppOptions): EdgeOptions['addressOf'] {
  const proxies = createProxyWatch({
    isProxy: (peer) => isTrusted(peer, trustProxy),
    onUntrusted(peer) {
      log.warn({ peer }, UNTRUSTED_PROXY)
      const noticed = storeUntrustedProxy(context.store, { peer, at: context.now() })
      noticed.catch(backgroundErrors(log))
    },
  })
  return ({ peer, headers }) => {
    const forwardedFor = headers.get('x-forwarded-for')
    proxies.observe(peer, forwardedFor)
    return addressOf(peer, forwardedFor, trustProxy)
  }
}

/** A busy database is no fault; a full one is looked at. */
function faultLog({ disk, log }: AppOptions): EdgeOptions['onFault'] {
  return (error, requestId) => {
    if (error instanceof StoreBusy) {
      return log.warn({ reason: error.message, requestId }, 'the database is busy')
    }
    if (error instanceof StoreFull) {
      disk.reportFull()
    }
    log.error({ err: error, requestId }, 'request failed')
  }
}

/** What sees each request that was served: the log and the trace, where they are on. */
function watcherOf({ requestLog, tracing, log }: AppOptions): EdgeOptions['onServed'] {
  if (!requestLog && tracing === null) {
    return null
  }
  return (served) => {
    if (requestLog) {
      logRequest(log, served, tracing?.traceId() ?? null)
    }
    tracing?.served(served)
  }
}

/** The operations and the pages. */
function endpointsOf(
  { context, setup, dashboard, guides, openApi, baseUrl, disk, log }: AppOptions,
  basePath: string,
  deps: ApiDeps,
  { reporting, storage }: { readonly reporting: Reporting; readonly storage: StorageLimits },
): readonly Endpoint[] {
  const { store, vault, now } = context
  const routes = routesOf(deps)
  const modes = createModes(context)
  const idempotency = { hashKey: vault.key('idempotency'), sealer: vault, now }
  const pages = [
    ...pageRoutes({
      about: ABOUT,
      document: () => documentAt(basePath, openApi),
      dashboard,
      guides,
      links: linkPages(deps),
      oidc: deps.oidc && oidcPages(deps, deps.oidc),
      setup,
      baseUrl,
      basePath,
    }),
    ...profilePages({ ...deps, hasLeaderboard: context.settings.leaderboard }),
  ]
  const serve = (route: Route) => operationEndpoint(route, { store, idempotency, storage, modes })
  const operations = routes.map((route) =>
    route.recordsReports ? reporting.share(serve(route)) : serve(route),
  )
  const mcp = mcpEndpoint({
    version: ABOUT.version,
    baseUrl,
    call: createInternalCall(operations, () => isReadOnly({ disk })),
    onFault: (error) => log.error({ err: error }, 'a tool failed'),
  })
  return [...operations, mcp, ...gateEndpoints(deps, serve), ...pages.map(pageEndpoint)]
}
