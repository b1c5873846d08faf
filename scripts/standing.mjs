#!/usr/bin/env node
// The `standing` command, from its bundle: `serve` is the service itself, the rest is in cli/.
import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import './node-version.mjs'

const entry = process.argv[2] === 'serve' ? 'src/main.ts' : 'cli/src/standing.ts'
// Not before the version is known.
const { bundled } = await import('./bundle.mjs')
const file = realpathSync(await bundled(entry))
process.setSourceMapsEnabled(true)
await import(pathToFileURL(file).href)
