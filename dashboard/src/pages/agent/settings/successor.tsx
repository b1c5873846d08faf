import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso/router'
import { useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { registerSuccessor } from '../../../api/transfers.ts'
import type { Agent, AgentWithKey } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { Secret } from '../../../ui/copy.tsx'
import { Dialog, DialogDone, DialogForm, useOpened } from '../../../ui/dialog.tsx'
import { NameField } from '../../../ui/name-field.tsx'
import { Section } from '../../../ui/page.tsx'
import { refreshAgent } from '../data.ts'

/** Has a new agent replace this one, with its record. */
export function Successor({ agent }: { agent: Agent }) {
  const { successors: texts } = t.value
  const { isOpen, open, close } = useOpened()
  return (
    <>
      {agent.status !== 'deactivated' && (
        <Section title={texts.section} lead={texts.sectionLead}>
          <button type="button" onClick={open}>
            {texts.replace}
          </button>
        </Section>
      )}
      {/* It stays when the agent is deactivated: it shows the key of the new one. */}
      {isOpen && <SuccessorDialog agent={agent} onClose={close} />}
    </>
  )
}

function SuccessorDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { successors: texts, registering } = t.value
  const { route } = useLocation()
  const name = useSignal(agent.displayName)
  const made = useSignal<AgentWithKey | null>(null)
  const replace = useAction(async () => {
    made.value = await registerSuccessor(agent.id, name.value.trim())
    refresh('agents', `credentials:${agent.id}`, `identifiers:${agent.id}`)
  })
  const leave = () => {
    refreshAgent(agent.id)
    onClose()
  }
  const next = made.value
  return (
    <Dialog title={texts.title(agent.displayName)} onClose={leave}>
      {next === null ? (
        <DialogForm
          label={texts.replace}
          isDanger
          action={replace}
          fields={['displayName']}
          onCancel={onClose}
        >
          <p>{texts.lead}</p>
          <NameField field="displayName" hint={texts.nameHint} error={replace.error} of={name} />
        </DialogForm>
      ) : (
        <>
          <Secret label={registering.keyLabel} value={next.apiKey} />
          <DialogDone
            onDone={() => {
              leave()
              route(to.agent('owner', next.id))
            }}
          />
        </>
      )}
    </Dialog>
  )
}
