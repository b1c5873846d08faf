// node test/demo.mjs: the dashboard as built, in front of a service with some months behind it.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from '../../scripts/bundle.mjs'

const home = dirname(dirname(fileURLToPath(import.meta.url)))
const out = join(home, 'node_modules', '.demo')
await build(['dashboard/test/demo/main.ts'], out)
process.chdir(home)
await import(join(out, 'main.mjs'))
