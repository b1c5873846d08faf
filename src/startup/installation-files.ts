import type { DashboardFiles } from '../pages/dashboard.ts'
import type { GuideFiles } from '../pages/docs/guides.ts'
import { readDashboard } from './dashboard.ts'
import { readGuides } from './guides.ts'
import { readOpenApi } from './openapi.ts'

/** The files that the service serves as they are. */
export interface InstallationFiles {
  /** The pages for people, as they were built; null where they were not. */
  readonly dashboard: DashboardFiles | null
  readonly guides: GuideFiles
  /** The OpenAPI document as it was written; null where it was not. */
  readonly openApi: string | null
}

let files: Promise<InstallationFiles> | null = null

/**
 * Reads them once for all services of this process. The hundreds that a test run starts took a quarter of
 * their processor time to read them. A read that fails is tried again by the next start.
 */
export function readInstallation(): Promise<InstallationFiles> {
  files ??= readAll().catch((error: unknown) => {
    files = null
    throw error
  })
  return files
}

async function readAll(): Promise<InstallationFiles> {
  return {
    dashboard: await readDashboard(),
    guides: await readGuides(),
    openApi: await readOpenApi(),
  }
}
