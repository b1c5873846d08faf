import { buildDashboard, isDashboardBuilt } from '../../dashboard/build.mjs'

/** What the service serves is of these sources. */
export default async function setup() {
  if (!(await isDashboardBuilt())) {
    await buildDashboard()
  }
}
