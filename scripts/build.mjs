// Builds every entry point, so that a checkout that is read-only later can still start.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildSdk, isBuilt } from '../sdk/build.mjs'
import { build, ENTRIES, root } from './bundle.mjs'

await build(
  ENTRIES.filter((entry) => existsSync(join(root, entry))),
  join(root, 'dist'),
)

// For those who install the SDK from here (npm has run its own `prepare` already, where it runs any).
const sdk = join(root, 'sdk/dist')
if (!(await isBuilt(sdk))) {
  await buildSdk(sdk)
}
