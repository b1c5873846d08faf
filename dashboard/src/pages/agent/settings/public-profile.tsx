import { useAction } from '../../../api/action.ts'
import { updateAgent } from '../../../api/agents.ts'
import { refresh } from '../../../api/cache.ts'
import type { Agent } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { may } from '../../../session/rights.ts'
import { Command } from '../../../ui/copy.tsx'
import { CheckField } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toasts.tsx'

/** Whether anyone may see the agent's profile, and what leads there from other pages. */
export function PublicProfile({ agent }: { agent: Agent }) {
  const { settings: texts, common } = t.value
  const save = useAction(async (publicProfile: boolean) => {
    await updateAgent(agent.id, { publicProfile })
    refresh(`agent:${agent.id}`, 'agents')
    toast(common.saved)
  })
  const profile = to.publicProfile(agent.id)
  const picture = to.badge(agent.id)
  const snippet = `[![Standing](${location.origin}${picture})](${location.origin}${profile})`
  return (
    <>
      <CheckField
        label={texts.isPublic}
        value={agent.publicProfile ?? false}
        isDisabled={!may('manage')}
        onValue={(isPublic) => void save.run(isPublic)}
      />
      <FormError error={save.error} />
      {agent.publicProfile && (
        <p>
          <a href={profile}>{texts.openProfile}</a>
        </p>
      )}
      <p>
        <img src={picture} alt={texts.badgeOf(agent.displayName)} height={20} />
      </p>
      <Command label={texts.badge} text={snippet} />
    </>
  )
}
