/** The result of one check: fine, worth knowing, or preventing a start; then also how to fix it. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'FAIL'
  readonly finding: string
  readonly fix?: string
}

export function fine(finding: string): Finding {
  return { level: 'ok', finding }
}

export function note(finding: string, fix?: string): Finding {
  return fix === undefined ? { level: 'note', finding } : { level: 'note', finding, fix }
}

export function fails(finding: string, fix: string): Finding {
  return { level: 'FAIL', finding, fix }
}

/** Runs a check; an error that it throws is a finding too. */
export async function guarded(check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return fails(message, 'Fix what the message names.')
  }
}
