import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../api/action.ts'
import { registerAgent } from '../../api/agents.ts'
import { refresh } from '../../api/cache.ts'
import { listEvents } from '../../api/events.ts'
import { useResource } from '../../api/resource.ts'
import { getScore } from '../../api/scores.ts'
import type { AgentWithKey } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Command, Copy, Secret } from '../../ui/copy.tsx'
import { reportCurl } from '../../ui/curl.ts'
import { Dialog, ShownOnce } from '../../ui/dialog.tsx'
import { NameField } from '../../ui/name-field.tsx'
import { TierScore } from '../../ui/score.tsx'
import { FormError } from '../../ui/states.tsx'
import { ParentField } from './parent-field.tsx'

export function RegisterDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t.value.registering.title} onClose={onClose} isFirm>
      <Register />
    </Dialog>
  )
}

/** A name, then the key that is shown once, then the first event by itself. */
export function Register() {
  const texts = t.value.registering
  const name = useSignal('')
  const parent = useSignal('')
  const agent = useSignal<AgentWithKey | null>(null)
  const register = useAction(async () => {
    agent.value = await registerAgent(name.value.trim(), parent.value.trim() || undefined)
    refresh('actors')
  })
  if (agent.value) {
    return (
      <ShownOnce title={texts.title} onDone={showAgents} hasWayOn>
        <Registered agent={agent.value} />
      </ShownOnce>
    )
  }
  return (
    <form class="narrow-form" onSubmit={submits(register)}>
      <NameField field="displayName" hint={texts.nameHint} error={register.error} of={name} />
      <ParentField error={register.error} of={parent} />
      <FormError error={register.error} fields={['displayName', 'parentId']} />
      <button class="primary" type="submit" disabled={register.isBusy}>
        {texts.submit}
      </button>
    </form>
  )
}

function showAgents(): void {
  refresh('agents', 'scores')
}

/** Somebody has just pasted a command and looks at the screen. */
const WAIT_POLL_MS = 2_000

function Registered({ agent }: { agent: AgentWithKey }) {
  const texts = t.value.registering
  const events = useResource(
    `first-event:${agent.id}`,
    (signal) => listEvents(agent.id, { limit: 1 })(undefined, signal),
    { freshMs: 0, pollMs: WAIT_POLL_MS },
  )
  const first = events.data?.data[0]
  return (
    <div class="registered">
      <Secret label={texts.keyLabel} value={agent.apiKey} />
      <Command label={texts.curlLabel} text={reportCurl(agent.apiKey)} />
      <div role="status">
        {first ? (
          <Arrived agentId={agent.id} />
        ) : (
          <p class="waiting">
            <span class="pulse" aria-hidden="true" />
            {texts.waiting}
          </p>
        )}
      </div>
      <NextSteps agentId={agent.id} />
      <div class="dialog-foot">
        <a class="button primary" href={to.agent('owner', agent.id)} onClick={showAgents}>
          {texts.open}
        </a>
      </div>
    </div>
  )
}

function Arrived({ agentId }: { agentId: string }) {
  const texts = t.value.registering
  const score = useResource(`first-score:${agentId}`, (signal) => getScore(agentId, signal))
  return (
    <p>
      <b>{texts.arrived}</b> {score.data && texts.scoreNow}{' '}
      {score.data && <TierScore score={score.data} />}
    </p>
  )
}

function NextSteps({ agentId }: { agentId: string }) {
  const texts = t.value.registering
  return (
    <section>
      <h3>{texts.nextTitle}</h3>
      <ul class="next-steps">
        <li>
          {texts.next.platforms} <code>{agentId}</code> <Copy text={agentId} />
        </li>
        <li>
          <a href={to.agent('owner', agentId, 'credentials')}>{texts.next.credential}</a>
        </li>
        <li>
          <a href={to.webhooks()}>{texts.next.webhook}</a>
        </li>
      </ul>
    </section>
  )
}
