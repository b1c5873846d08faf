import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'cli/**/*.test.ts', 'sdk/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/engine.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
