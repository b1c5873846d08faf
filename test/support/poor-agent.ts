import type { Standing } from '@standing/sdk'

/**
 * Raises an agent to Poor, the lowest tier that a credential can state: an hour of good work, and credentials that the
 * platform confirms. Their ids.
 */
export async function raiseToPoor(
  agentId: string,
  owner: Standing,
  platform: Standing,
): Promise<readonly string[]> {
  const work = Array.from({ length: 60 }, () => [
    { type: 'task.completed' as const },
    { type: 'payment.completed' as const, data: { amount: 100, currency: 'USD' } },
  ])
  await platform.events.report(agentId, work.flat())
  const confirmed: string[] = []
  for (const type of ['Kyc', 'Insurance']) {
    const { id } = await owner.credentials.issue({ agentId, type, claims: {} })
    const data = { credentialId: id }
    await platform.events.submit(agentId, { type: 'credential.issued', data })
    confirmed.push(id)
  }
  return confirmed
}
