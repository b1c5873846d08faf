import type { Permission } from '../api/types.ts'
import { t } from '../messages/index.ts'
import { may } from '../session/rights.ts'
import { session } from '../session/session.ts'

/** What a role may lack. */
export type Right = Exclude<Permission, 'read' | 'session'>

/** Why there is nothing to press here for this person; nothing where the role allows it. */
export function RoleNote({ needs }: { needs: Right }) {
  const { team, rights } = t.value
  const who = session.value
  const role = who?.kind === 'owner' && who.member?.role
  if (!role || may(needs)) {
    return null
  }
  return (
    <p class="role-note quiet">
      {rights.yours(team.roles[role])} {rights.needs[needs]}
    </p>
  )
}
