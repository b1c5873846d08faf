/** What one look found: fine, worth knowing, or in the way of a start; and then what to do. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'FAIL'
  readonly says: string
  readonly todo?: string
}

export function fine(says: string): Finding {
  return { level: 'ok', says }
}

export function note(says: string, todo?: string): Finding {
  return todo === undefined ? { level: 'note', says } : { level: 'note', says, todo }
}

export function fails(says: string, todo: string): Finding {
  return { level: 'FAIL', says, todo }
}

/** A check that throws has found something too. */
export async function guarded(look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return fails(said, 'See the message; it names what to mend.')
  }
}
