export interface EachAgentOptions {
  /** Checked before the first agent and after each: no further one is begun once it is true. */
  readonly isStopping: () => boolean
  /** Called for an agent whose work failed. */
  readonly onFailed: (error: unknown, agentId: string) => void
}

/**
 * Does the work for each agent, one after the other. One that fails is reported, and delays no other. How many failed.
 * Throws only where the ids cannot be read.
 */
export async function eachAgent(
  parts: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  work: (agentId: string) => Promise<unknown>,
  { isStopping, onFailed }: EachAgentOptions,
): Promise<number> {
  let failed = 0
  if (isStopping()) {
    return failed
  }
  for await (const agentIds of parts) {
    for (const agentId of agentIds) {
      try {
        await work(agentId)
      } catch (error) {
        failed++
        onFailed(error, agentId)
      }
      if (isStopping()) {
        return failed
      }
    }
  }
  return failed
}

/** Does the work for each of a few agents, and returns why it failed for some of them. */
export async function failuresOf(
  agentIds: readonly string[],
  work: (agentId: string) => Promise<unknown>,
): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  const onFailed = (error: unknown) => failures.push(error)
  await eachAgent([agentIds], work, { isStopping: () => false, onFailed })
  return failures
}

/** For a round in which agents failed, after all of them were tried: it counts as failed, and is repeated. */
export function agentsFailed(failed: number): Error {
  return new Error(`${failed} ${failed === 1 ? 'agent' : 'agents'} failed; the log names each`)
}
