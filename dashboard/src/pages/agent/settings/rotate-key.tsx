import { rotateAgentKey } from '../../../api/agents.ts'
import type { Agent } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { RotateForm } from '../../../ui/rotate-form.tsx'

export function RotateKey({ agent }: { agent: Agent }) {
  const { settings: texts } = t.value
  return (
    <RotateForm
      label={texts.newKey}
      keys={agent.apiKeys}
      rotate={(overlapSeconds) => rotateAgentKey(agent.id, overlapSeconds)}
    />
  )
}
