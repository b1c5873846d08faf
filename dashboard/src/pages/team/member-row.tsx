import { removeMember, setRole } from '../../api/account.ts'
import { patch, refresh } from '../../api/cache.ts'
import type { Rows } from '../../api/list.ts'
import { type Member, ROLES, type Role } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { SelectField } from '../../ui/field.tsx'
import { messageOf } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useToastedAction } from '../../ui/toasted-action.ts'
import { later, toast } from '../../ui/toasts.tsx'

/** A person of the account. Who opened it stays its admin. */
export function MemberRow({ member }: { member: Member }) {
  const { team: texts } = t.value
  const change = useToastedAction(async (role: Role) => {
    try {
      await setRole(member.id, role)
      toast(texts.changed(member.email, texts.roles[role]))
    } finally {
      refresh('members')
    }
  })
  return (
    <tr>
      <th scope="row">{member.email}</th>
      <td>{member.name ?? <span class="quiet">–</span>}</td>
      <td title={texts.roleHints[member.role]}>
        {member.isOwner ? (
          texts.opened
        ) : (
          <SelectField<Role>
            isBare
            label={`${texts.role}: ${member.email}`}
            value={member.role}
            options={ROLES.map((value) => ({ value, label: texts.roles[value] }))}
            onValue={(role) => void change.run(role)}
          />
        )}
      </td>
      <td>{member.emailConfirmed ? texts.isConfirmed : texts.notConfirmed}</td>
      <td>
        <Time at={member.createdAt} />
      </td>
      <td class="number">
        {!member.isOwner && (
          <button type="button" class="danger" onClick={() => remove(member)}>
            {texts.remove}
            <span class="visually-hidden"> {member.email}</span>
          </button>
        )}
      </td>
    </tr>
  )
}

function remove(member: Member): void {
  const { team: texts } = t.value
  patch<Rows<Member>>('members', ({ rows, ...rest }) => ({
    ...rest,
    rows: rows.filter(({ id }) => id !== member.id),
  }))
  later({
    text: texts.removed(member.email),
    commit: (keepalive) => removeMember(member.id, keepalive),
    undo: () => refresh('members'),
    failed: messageOf,
  })
}
