import { removeMember, setRole } from '../../api/account.ts'
import { refresh } from '../../api/cache.ts'
import { type Member, ROLES, type Role } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { may, readRights } from '../../session/rights.ts'
import { optionsOf, SelectField } from '../../ui/field.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { removeLater } from '../../ui/row-changes.tsx'
import { Time } from '../../ui/time.tsx'
import { useToastedAction } from '../../ui/toasted-action.tsx'
import { toast } from '../../ui/toasts.tsx'

/** A person of the account. Who opened it stays its admin. */
export function MemberRow({ member }: { member: Member }) {
  const { team: texts } = t.value
  const change = useToastedAction(async (role: Role) => {
    try {
      await setRole(member.id, role)
      toast(texts.changed(member.email, texts.roles[role]))
    } finally {
      refresh('members')
      // It may have been the own role.
      void readRights().catch(() => {})
    }
  })
  return (
    <tr>
      <th scope="row">{member.email}</th>
      <td class="cell-long">{member.name ?? <span class="quiet">–</span>}</td>
      <td title={texts.roleHints[member.role]}>
        {member.isOwner ? (
          texts.opened
        ) : !may('admin') ? (
          texts.roles[member.role]
        ) : (
          <SelectField<Role>
            isBare
            label={`${texts.role}: ${member.email}`}
            value={member.role}
            options={optionsOf(ROLES, texts.roles)}
            onValue={(role) => void change.run(role)}
          />
        )}
      </td>
      <td>{member.emailConfirmed ? texts.isConfirmed : texts.notConfirmed}</td>
      <td>
        <Time at={member.createdAt} />
      </td>
      <td class="number">
        {!member.isOwner && may('admin') && (
          <RowButton
            label={texts.remove}
            about={member.email}
            class="danger"
            onClick={() => remove(member)}
          />
        )}
      </td>
    </tr>
  )
}

function remove({ id, email }: Member): void {
  removeLater(id, {
    list: 'members',
    text: t.value.team.removed(email),
    commit: (keepalive) => removeMember(id, keepalive),
  })
}
