import { useSignal } from '@preact/signals'
import { refresh } from '../../../api/cache.ts'
import { createPlatform } from '../../../api/operator.ts'
import { t } from '../../../messages/index.ts'
import { Command, Secret } from '../../../ui/copy.tsx'
import { curl } from '../../../ui/curl.ts'
import { Dialog, DialogDone } from '../../../ui/dialog.tsx'
import { PlatformForm } from './platform-form.tsx'

/** A new platform, its key that is shown once, and the first report it may send. */
export function CreatePlatformDialog({ onClose }: { onClose: () => void }) {
  const { platforms: texts } = t.value
  const apiKey = useSignal<string | null>(null)
  const body = { type: 'task.completed', data: { duration: 1200 } }
  return (
    <Dialog title={texts.create} onClose={onClose} isFirm>
      {apiKey.value === null ? (
        <PlatformForm
          submitLabel={texts.create}
          onCancel={onClose}
          submit={async (input) => {
            apiKey.value = (await createPlatform(input)).apiKey
            refresh('platforms')
          }}
        />
      ) : (
        <>
          <Secret label={texts.keyLabel} value={apiKey.value} />
          <Command
            label={texts.curlLabel}
            text={curl('POST', '/v1/agents/AGENT_ID/events', `X-API-Key: ${apiKey.value}`, body)}
          />
          <DialogDone onDone={onClose} />
        </>
      )}
    </Dialog>
  )
}
