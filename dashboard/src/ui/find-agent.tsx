import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso/router'
import { submits, useAction } from '../api/action.ts'
import { lookUp } from '../api/decisions.ts'
import { isUuid } from '../ids.ts'
import { t } from '../messages/index.ts'
import { to } from '../paths.ts'
import type { Kind } from '../session/session.ts'
import { TextField } from './field.tsx'
import { recentAgents } from './recent.ts'
import { ErrorText } from './said.tsx'

/** Finds an agent by its id or a verified name; below, the agents looked at before. */
export function FindAgent({ kind }: { kind: Kind }) {
  const { lookUp: texts } = t.value
  const { route } = useLocation()
  const name = useSignal('')
  const isUnknown = useSignal(false)
  const recent = recentAgents()
  const find = useAction(async () => {
    const text = name.value.trim()
    const found = isUuid(text) ? text : (await lookUp(text)).agent?.id
    isUnknown.value = found === undefined
    if (found !== undefined) {
      route(to.agent(kind, found))
    }
  })
  return (
    <>
      <form class="inline-form find-agent" onSubmit={submits(find)}>
        <TextField
          label={texts.label}
          class="mono"
          required
          autoComplete="off"
          spellcheck={false}
          placeholder="01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e"
          error={
            isUnknown.value ? texts.unknown : find.error ? <ErrorText error={find.error} /> : null
          }
          value={name.value}
          onValue={(value) => {
            name.value = value
            isUnknown.value = false
          }}
        />
        <button type="submit" class="primary" disabled={find.isBusy}>
          {texts.open}
        </button>
      </form>
      {recent.length > 0 && (
        <section class="recent">
          <h2>{texts.recent}</h2>
          <ul class="plain-list">
            {recent.map((agent) => (
              <li key={agent.id}>
                <a href={to.agent(kind, agent.id)}>{agent.name}</a>{' '}
                <code class="quiet">{agent.id}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}
