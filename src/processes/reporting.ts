import type { Endpoint } from '../http/endpoint.ts'

/** Lets one of several processes that serve one address record the reports that all of them get. */
export interface Reporting {
  /** An endpoint whose requests that process carries out, as this process serves it. */
  share(endpoint: Endpoint): Endpoint
  /** Call it when all endpoints are shared. */
  open(): Promise<void>
  /** Resolves once all that was asked is answered. */
  close(): Promise<void>
}

/** Of a process that is the only one. */
export const RECORDS_ITSELF: Reporting = {
  share: (endpoint) => endpoint,
  async open() {},
  async close() {},
}
