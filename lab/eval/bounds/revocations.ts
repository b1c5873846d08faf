/** What one platform takes from an honest agent by revoking credentials. */
import { DAY_MS } from '../../../src/domain/time.ts'
import type { Bound, Check, Run } from './bound.ts'
import { worldWithAgent } from './world.ts'

const TIMES = 20

/** The agent's platforms report good work; one of them issues credentials and revokes each. */
function lostOf(run: Run, platforms: number): number {
  const world = worldWithAgent(run, { honest: platforms })
  const [by = ''] = world.honest
  for (let i = 0; i < TIMES; i++) {
    const type = `Type-${i}`
    const credentialId = world.issue('agent', by, { type, isAttack: true })
    const data = { credentialId, credentialType: type }
    const revoked = { agent: 'agent', ms: DAY_MS / 2, by, data, isAttack: true }
    world.play([...world.honestDay('agent'), { ...revoked, type: 'credential.revoked' }])
  }
  return world.twinPoints('agent') - world.points('agent')
}

function revoked(run: Run): readonly Check[] {
  return [4, 7, 20].map((platforms) => ({
    measure: `points lost, 1 of ${platforms}`,
    value: lostOf(run, platforms),
    asked: { most: platforms === 4 ? 60 : 20 },
  }))
}

export const REVOCATIONS: readonly Bound[] = [
  {
    row: '33',
    what: 'a platform issues and revokes credentials of an honest agent, twenty times',
    run: revoked,
  },
]
