import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { reportEvent } from '../../api/events.ts'
import { EVENT_TYPES, type EventType } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Command } from '../../ui/copy.tsx'
import { curl } from '../../ui/curl.ts'
import { Dialog, DialogFoot } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { JsonField, objectOf } from '../../ui/json-field.tsx'
import { FormError } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.tsx'
import { refreshAgent } from './data.ts'

/** A platform reports an event about an agent. */
export function ReportButton({ agentId }: { agentId: string }) {
  const isOpen = useSignal(false)
  return (
    <>
      <button
        type="button"
        class="primary"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {t.value.reported.report}
      </button>
      {isOpen.value && (
        <ReportDialog
          agentId={agentId}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

function ReportDialog({ agentId, onClose }: { agentId: string; onClose: () => void }) {
  const { reported: texts, eventTypes } = t.value
  const type = useSignal<EventType>('task.completed')
  const data = useSignal('{}')
  const body = { type: type.value, data: objectOf(data.value) ?? {} }
  const report = useAction(async () => {
    const event = await reportEvent(agentId, body)
    refreshAgent(agentId)
    if (event.isQuarantined) {
      toast(texts.sentHeld(event.quarantineReason ?? ''), 'bad')
    } else {
      toast(texts.sent(eventTypes[event.type]))
    }
    onClose()
  })
  const command = curl('POST', `/v1/agents/${agentId}/events`, 'X-API-Key: $PLATFORM_KEY', body)
  return (
    <Dialog title={texts.report} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (objectOf(data.value)) {
            void report.run()
          }
        }}
      >
        <SelectField<EventType>
          label={texts.type}
          value={type.value}
          options={EVENT_TYPES.map((value) => ({ value, label: eventTypes[value] }))}
          onValue={(value) => {
            type.value = value
          }}
        />
        <JsonField
          label={texts.data}
          hint={texts.dataHint}
          wrong={texts.dataWrong}
          value={data.value}
          onValue={(value) => {
            data.value = value
          }}
        />
        <Command label={texts.curl} text={command} />
        <FormError error={report.error} />
        <DialogFoot label={texts.send} isDisabled={report.isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
