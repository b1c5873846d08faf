import { rotateAgentKey } from '../../../api/agents.ts'
import { t } from '../../../messages/index.ts'
import { RotateForm } from '../../../ui/rotate-form.tsx'

export function RotateKey({ id }: { id: string }) {
  const { settings: texts } = t.value
  return (
    <RotateForm
      label={texts.newKey}
      rotate={(overlapSeconds) => rotateAgentKey(id, overlapSeconds)}
    />
  )
}
