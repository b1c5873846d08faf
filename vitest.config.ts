import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Plugin } from 'vitest/config'
import { defineConfig } from 'vitest/config'

/** The SDK from its sources, which need no build; the others are Vite's own for a server. */
const conditions = ['standing-source', 'module', 'node', 'development|production']

/** SQL and HTML are imported as text, here as in the bundle (scripts/bundle.mjs). */
const asText = {
  name: 'as-text',
  transform(code: string, id: string) {
    return /\.(sql|html)$/.test(id) ? `export default ${JSON.stringify(code)}` : undefined
  },
}

/** Styles that pages of the service inline. Vite's own reading of CSS would leave nothing of them. */
const stylesAsText: Plugin = {
  name: 'styles-as-text',
  enforce: 'pre',
  async resolveId(source, importer) {
    const found =
      source.endsWith('.css') && (await this.resolve(source, importer, { skipSelf: true }))
    return found ? `\0${found.id}.text` : null
  },
  load(id) {
    return id.endsWith('.css.text')
      ? `export default ${JSON.stringify(readFileSync(id.slice(1, -'.text'.length), 'utf8'))}`
      : null
  },
}

export default defineConfig({
  plugins: [asText, stylesAsText],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Vitest loads the global set-up in an environment of its own, which takes no `resolve` of the others.
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    include: ['{src,packages,cli,sdk,lab,test}/**/*.test.ts', 'dashboard/test/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/engine.ts', 'test/support/dashboard.mjs'],
    // Each worker imports the sources once, not once for each file. Test files close what they open,
    // and put back what they replace (fetch, timers).
    isolate: false,
    // A module that has not changed is not transformed again in the next run.
    experimental: { fsModuleCache: true },
    // A quarter of their time workers wait, for the database and for processes that start.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Ten times what the longest take: what hangs ends, and what waits for a busy machine does not.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
