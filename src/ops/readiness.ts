/** The part of a pool that readiness needs. */
interface Queryable {
  query(text: string): Promise<unknown>
}

/** Why the database cannot be used; null when it can. Anyone may ask, so it does not say where it is. */
export async function databaseProblem(pool: Queryable): Promise<string | null> {
  try {
    await pool.query('select 1')
    return null
  } catch (error) {
    const { code } = error as { code?: unknown }
    return `the database cannot be reached${typeof code === 'string' ? ` (${code})` : ''}`
  }
}
