import { defineConfig } from 'vite'

/** A running service, for `vite` and `vite preview`: STANDING_URL=http://127.0.0.1:8080. */
const target = process.env.STANDING_URL ?? 'http://127.0.0.1:8080'

/** What the service answers itself: the API, its pages and documents. */
const proxy = { '^/(v1|docs|setup|healthz|readyz|metrics|openapi\\.json|\\.well-known)': target }

export default defineConfig({
  // Relative to the page's <base>: one build for every path.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { proxy },
  preview: { proxy },
  build: {
    target: 'es2023',
    // A strict content security policy allows no inline script and no data: font or script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
})
