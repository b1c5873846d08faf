import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { claimIdentifier } from '../../../api/identifiers.ts'
import { IDENTIFIER_TYPES, type Identifier, type IdentifierType } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { Dialog, DialogForm } from '../../../ui/dialog.tsx'
import { optionsOf, SelectField, TextField } from '../../../ui/field.tsx'
import { issueOf } from '../../../ui/said.tsx'

/** Names something as the agent's own. How to prove it comes next. */
export function ClaimDialog({
  agentId,
  onClaimed,
  onClose,
}: {
  agentId: string
  onClaimed: (identifier: Identifier) => void
  onClose: () => void
}) {
  const { identifiers: texts } = t.value
  const type = useSignal<IdentifierType>('domain')
  const value = useSignal('')
  const claim = useAction(async () => {
    const identifier = await claimIdentifier(agentId, {
      type: type.value,
      value: value.value.trim(),
    })
    refresh(`identifiers:${agentId}`)
    onClaimed(identifier)
  })
  return (
    <Dialog title={texts.claim} onClose={onClose}>
      <DialogForm label={texts.claim} action={claim} fields={['value']} onCancel={onClose}>
        <SelectField<IdentifierType>
          label={texts.type}
          of={type}
          options={optionsOf(IDENTIFIER_TYPES, texts.types)}
        />
        <TextField
          label={texts.value}
          hint={texts.example(EXAMPLES[type.value])}
          required
          maxLength={500}
          spellcheck={false}
          error={issueOf(claim.error, 'value')}
          of={value}
        />
      </DialogForm>
    </Dialog>
  )
}

const EXAMPLES: Readonly<Record<IdentifierType, string>> = {
  domain: 'agent.example.com',
  did: 'did:web:agent.example.com',
  a2a_card: 'https://agent.example.com/.well-known/agent-card.json',
  mcp_server: 'com.example/weather',
  web_bot_auth: 'https://agent.example.com',
  caip10: 'eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb',
  erc8004: 'eip155:1:0x742d35Cc6634C0532925a3b844Bc454e4438f44e:22',
  oauth_client: 'https://agent.example.com/client',
  spiffe: 'spiffe://example.com/agent',
}
