import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../api/action.ts'
import { createTestPlatform } from '../../api/test-data.ts'
import { t } from '../../messages/index.ts'
import { Command, Secret } from '../../ui/copy.tsx'
import { curl } from '../../ui/curl.ts'
import { ShownOnce } from '../../ui/dialog.tsx'
import { FormError } from '../../ui/states.tsx'

/** The other side of an integration: a key that reports on test agents, shown once. */
export function TestPlatform() {
  const { testData: texts } = t.value
  const key = useSignal<string | null>(null)
  const create = useAction(async () => {
    const platform = await createTestPlatform(texts.platformName)
    key.value = platform.apiKey
  })
  if (key.value !== null) {
    const body = { type: 'task.completed', data: { duration: 1200 } }
    const command = curl('POST', '/v1/agents/AGENT_ID/events', `X-API-Key: ${key.value}`, body)
    const done = () => {
      key.value = null
    }
    return (
      <ShownOnce title={texts.makeKey} onDone={done}>
        <Secret label={texts.key} value={key.value} />
        <Command label={texts.report} text={command} />
      </ShownOnce>
    )
  }
  return (
    <form onSubmit={submits(create)}>
      <FormError error={create.error} />
      <button type="submit" disabled={create.isBusy}>
        {texts.makeKey}
      </button>
    </form>
  )
}
