import { call } from './client.ts'
import type { Backups, Calibration, Jobs, Resistance } from './types.ts'

export function getJobs(signal: AbortSignal): Promise<Jobs> {
  return call('GET', '/v1/operator/jobs', { signal })
}

export function getBackups(signal: AbortSignal): Promise<Backups> {
  return call('GET', '/v1/operator/backups', { signal })
}

export function getCalibration(signal: AbortSignal): Promise<Calibration> {
  return call('GET', '/v1/operator/calibration', { signal })
}

export function getResistance(signal: AbortSignal): Promise<Resistance> {
  return call('GET', '/v1/operator/resistance', { signal })
}
