import { defineConfig } from 'vite'

/** A running service: STANDING_URL=http://127.0.0.1:8080. */
const target = process.env.STANDING_URL ?? 'http://127.0.0.1:8080'

/** What the service responds to itself: the API, its pages and documents. */
const proxy = {
  '^/(v1|docs|setup|agents|verify|healthz|readyz|metrics|openapi\\.json|\\.well-known)': target,
}

/** Serves the pages while they are written; build.mjs builds them. */
export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { proxy },
})
