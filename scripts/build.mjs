// Builds every entry point, so that a checkout that is read-only later can still start.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build, ENTRIES, root } from './bundle.mjs'

await build(
  ENTRIES.filter((entry) => existsSync(join(root, entry))),
  join(root, 'dist'),
)
