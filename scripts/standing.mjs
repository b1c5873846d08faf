#!/usr/bin/env node
// The `standing` command, from its bundle: `serve` is the service itself, the rest is in cli/.
import { realpathSync } from 'node:fs'
import module from 'node:module'
import { pathToFileURL } from 'node:url'
import './node-version.mjs'

const isService = process.argv[2] === 'serve'
const entry = isService ? 'src/main.ts' : 'cli/src/standing.ts'
// Not before the version is known. From Node.js 22.1 on what was compiled is kept for the next start.
module.enableCompileCache?.()
const { freshBundle } = await import('./fresh.mjs')
const file = (isService ? null : freshBundle(entry)) ?? (await build())
// To read the maps takes longer than most commands do; what goes wrong in a command is said in words.
if (isService) {
  process.setSourceMapsEnabled(true)
}
await import(pathToFileURL(realpathSync(file)).href)

async function build() {
  const { bundled } = await import('./bundle.mjs')
  return bundled(entry)
}
