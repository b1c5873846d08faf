import { onTestFinished, TestRunner } from 'vitest'

const left: (() => unknown)[] = []

/**
 * Runs when the test is done that this is called in, or else when the file is. `afterAll` within a test
 * or a `beforeAll` would never run, and a service would go on in its worker, without its database.
 */
export function atEnd(close: () => unknown): void {
  if (TestRunner.getCurrentTest()) {
    onTestFinished(async () => void (await close()))
  } else {
    left.push(close)
  }
}

/** For a file: what was opened last is closed first. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = []
  for (const close of left.splice(0).reverse()) {
    await (async () => close())().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) {
    throw failures[0]
  }
}
