// Builds the service, the command, the dashboard and the SDK, so that a checkout that is read-only later can start.
import { join } from 'node:path'
import { buildDashboard, isDashboardBuilt } from '../dashboard/build.mjs'
import { buildSdk, isBuilt } from '../sdk/build.mjs'
import { build, PRODUCT } from './bundle.mjs'
import { root } from './fresh.mjs'

await build(PRODUCT, join(root, 'dist'))
if (!(await isDashboardBuilt())) {
  await buildDashboard()
}

// For projects that install the SDK from this checkout, and for `npm pack`.
const sdk = join(root, 'sdk/dist')
if (!(await isBuilt(sdk))) {
  await buildSdk(sdk)
}
