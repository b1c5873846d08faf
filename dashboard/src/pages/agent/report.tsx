import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { reportEvent } from '../../api/events.ts'
import { EVENT_TYPES, type EventType } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Command } from '../../ui/copy.tsx'
import { curl } from '../../ui/curl.ts'
import { Dialog, DialogButton, DialogForm } from '../../ui/dialog.tsx'
import { optionsOf, SelectField } from '../../ui/field.tsx'
import { JsonField, objectOf } from '../../ui/json-field.tsx'
import { quarantineReason } from '../../ui/said.tsx'
import { toast } from '../../ui/toasts.tsx'
import { refreshAgent } from './data.ts'

/** A platform reports an event about an agent. */
export function ReportButton({ agentId }: { agentId: string }) {
  return (
    <DialogButton label={t.value.reported.report} class="primary">
      {(close) => <ReportDialog agentId={agentId} onClose={close} />}
    </DialogButton>
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
      toast(texts.sentQuarantined(quarantineReason(event)), 'bad')
    } else {
      toast(texts.sent(eventTypes[event.type]))
    }
    onClose()
  })
  const command = curl('POST', `/v1/agents/${agentId}/events`, 'X-API-Key: $PLATFORM_KEY', body)
  return (
    <Dialog title={texts.report} onClose={onClose}>
      <DialogForm
        label={texts.send}
        action={report}
        isDisabled={objectOf(data.value) === null}
        onCancel={onClose}
      >
        <SelectField<EventType>
          label={texts.type}
          of={type}
          options={optionsOf(EVENT_TYPES, eventTypes)}
        />
        <JsonField label={texts.data} hint={texts.dataHint} wrong={texts.dataWrong} of={data} />
        <Command label={texts.curl} text={command} />
      </DialogForm>
    </Dialog>
  )
}
