// node scripts/run.mjs ENTRY [arguments]: runs a TypeScript entry point from its bundle.
import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import './node-version.mjs'

const [entry, ...rest] = process.argv.slice(2)
// Not before the version is known.
const { bundled } = await import('./bundle.mjs')
const file = realpathSync(await bundled(entry))
process.argv = [process.argv[0], file, ...rest]
process.setSourceMapsEnabled(true)
await import(pathToFileURL(file).href)
