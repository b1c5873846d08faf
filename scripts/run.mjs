// node scripts/run.mjs ENTRY [arguments]: runs a TypeScript entry point from its bundle.
import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { bundled } from './bundle.mjs'

const [entry, ...rest] = process.argv.slice(2)
const file = realpathSync(await bundled(entry))
process.argv = [process.argv[0], file, ...rest]
process.setSourceMapsEnabled(true)
await import(pathToFileURL(file).href)
