import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso/router'
import { t } from '../messages/index.ts'
import { type AgentRoom, to } from '../paths.ts'
import { TextField } from './field.tsx'
import { recentAgents } from './recent.ts'

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

/** An agent by its id, for callers that have no list of agents; below, those looked at before. */
export function FindAgent({ room }: { room: AgentRoom }) {
  const { lookUp: texts } = t.value
  const { route } = useLocation()
  const id = useSignal('')
  const isTried = useSignal(false)
  const isRight = new RegExp(`^${UUID}$`).test(id.value.trim())
  const recent = recentAgents()
  return (
    <>
      <form
        class="inline-form find-agent"
        onSubmit={(event) => {
          event.preventDefault()
          isTried.value = true
          if (isRight) {
            route(to.agent(room, id.value.trim()))
          }
        }}
      >
        <TextField
          label={texts.label}
          class="mono"
          required
          autoComplete="off"
          spellcheck={false}
          placeholder="01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e"
          error={isTried.value && !isRight ? texts.wrong : null}
          value={id.value}
          onValue={(value) => {
            id.value = value
          }}
        />
        <button type="submit" class="primary">
          {texts.open}
        </button>
      </form>
      {recent.length > 0 && (
        <section class="recent">
          <h2>{texts.recent}</h2>
          <ul class="plain-list">
            {recent.map((agent) => (
              <li key={agent.id}>
                <a href={to.agent(room, agent.id)}>{agent.name}</a>{' '}
                <code class="quiet">{agent.id}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
