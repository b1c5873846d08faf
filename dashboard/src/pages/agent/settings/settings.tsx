import type { Agent } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { may } from '../../../session/rights.ts'
import { Command } from '../../../ui/copy.tsx'
import { reportCurl } from '../../../ui/curl.ts'
import { KeyUses } from '../../../ui/key-uses.tsx'
import { Section } from '../../../ui/page.tsx'
import { RoleNote } from '../../../ui/role-note.tsx'
import { Loaded } from '../../../ui/states.tsx'
import type { AgentView } from '../data.ts'
import { Deactivate } from './deactivate.tsx'
import { Profile } from './profile.tsx'
import { PublicProfile } from './public-profile.tsx'
import { RotateKey } from './rotate-key.tsx'
import { Successor } from './successor.tsx'
import { Transfer } from './transfer.tsx'

export function AgentSettings({ view }: { view: AgentView }) {
  return (
    <Loaded of={view.agent} rows={6}>
      {(agent) => <OfAgent agent={agent} key={agent.id} />}
    </Loaded>
  )
}

function OfAgent({ agent }: { agent: Agent }) {
  const { settings: texts, transfers } = t.value
  const isInUse = agent.status !== 'deactivated'
  // A test agent stays with the account that tries it, and is shown to no other.
  const isLive = agent.mode === 'live'
  const mayManage = may('manage')
  return (
    <>
      <RoleNote needs="manage" />
      <Section title={texts.profile}>
        <Profile agent={agent} />
      </Section>
      {isInUse && (
        <>
          {isLive && (
            <Section title={texts.publicTitle} lead={texts.publicLead}>
              <PublicProfile agent={agent} />
            </Section>
          )}
          <Section title={texts.rotateTitle} lead={mayManage && texts.rotateLead}>
            {mayManage ? (
              <RotateKey agent={agent} />
            ) : (
              agent.apiKeys && <KeyUses keys={agent.apiKeys} />
            )}
          </Section>
          <Section title={texts.curlTitle}>
            <Command label="curl" text={reportCurl('$AGENT_KEY')} />
          </Section>
          {isLive && (
            <Section title={transfers.section} lead={transfers.sectionLead}>
              <Transfer agent={agent} />
            </Section>
          )}
        </>
      )}
      {mayManage && <Successor agent={agent} />}
      {mayManage && isInUse && (
        <Section title={texts.deactivateTitle} lead={texts.deactivateLead}>
          <Deactivate agent={agent} />
        </Section>
      )}
    </>
  )
}
