import { defineConfig } from 'vitest/config'

/** Real pages in a real browser in front of a real service: one file at a time. */
export default defineConfig({
  test: {
    include: ['test/browser/*.test.ts'],
    globalSetup: ['test/browser/setup.ts'],
    fileParallelism: false,
    // Pages of one browser that are looked at together: one for each of two cores.
    maxConcurrency: 2,
    // A long page takes axe-core a minute on a machine that does much else.
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
})
