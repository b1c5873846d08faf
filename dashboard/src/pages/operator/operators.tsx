import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { refresh } from '../../api/cache.ts'
import { useList } from '../../api/list.ts'
import {
  createOperator,
  listOperators,
  revokeOperator,
  rotateOperatorKey,
} from '../../api/operators.ts'
import type { Operator } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Secret } from '../../ui/copy.tsx'
import { Dialog, DialogDone, DialogForm, useChosen } from '../../ui/dialog.tsx'
import { Listing, useCreateButton } from '../../ui/listing.tsx'
import { NameField } from '../../ui/name-field.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RotateForm } from '../../ui/rotate-form.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'

type Open =
  | { readonly kind: 'rotate' | 'revoke'; readonly operator: Operator }
  | { readonly kind: 'new' }

/** Who operates this installation, each person and program with a key of its own. */
export function Operators() {
  const { operators: texts, common } = t.value
  const operators = useList<Operator>('operators', listOperators)
  const { about, open, close } = useChosen<Open>()
  const createButton = useCreateButton('create-operator', texts.create, () => open({ kind: 'new' }))
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {createButton}
      </PageHead>
      <Listing
        of={operators}
        none=""
        columns={[common.name, common.status, common.created, texts.lastUsed]}
        hasActions
      >
        {(operator) => (
          <OperatorRow operator={operator} onOpen={(kind) => open({ kind, operator })} />
        )}
      </Listing>
      {about?.kind === 'new' && <CreateDialog onClose={close} />}
      {about?.kind === 'rotate' && <RotateDialog operator={about.operator} onClose={close} />}
      {about?.kind === 'revoke' && <RevokeDialog name={about.operator.name} onClose={close} />}
    </>
  )
}

/** The operator whose key is a setting: it is changed there. */
const OF_SETTINGS = 'settings'

function OperatorRow({
  operator,
  onOpen,
}: {
  operator: Operator
  onOpen: (kind: 'rotate' | 'revoke') => void
}) {
  const { operators: texts } = t.value
  const { name, status, createdAt, lastUsedAt } = operator
  const isOwn = status === 'active' && name !== OF_SETTINGS
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Status name={status} />
      </td>
      <td>
        <Time at={createdAt} />
      </td>
      <td>
        <Time at={lastUsedAt} />
      </td>
      <td class="number">
        {isOwn ? (
          <span class="row-actions">
            <RowButton label={texts.rotate} about={name} onClick={() => onOpen('rotate')} />
            <RowButton
              label={texts.revoke}
              about={name}
              class="danger"
              onClick={() => onOpen('revoke')}
            />
          </span>
        ) : (
          name === OF_SETTINGS && <span class="quiet">{texts.inSettings}</span>
        )}
      </td>
    </tr>
  )
}

function CreateDialog({ onClose }: { onClose: () => void }) {
  const { operators: texts } = t.value
  const name = useSignal('')
  const apiKey = useSignal<string | null>(null)
  const create = useAction(async () => {
    apiKey.value = (await createOperator(name.value.trim())).apiKey
    refresh('operators')
  })
  return (
    <Dialog title={texts.create} onClose={onClose}>
      {apiKey.value === null ? (
        <DialogForm label={texts.create} action={create} fields={['name']} onCancel={onClose}>
          <NameField hint={texts.nameHint} error={create.error} of={name} />
        </DialogForm>
      ) : (
        <>
          <Secret label={texts.key(name.value.trim())} value={apiKey.value} />
          <DialogDone onDone={onClose} />
        </>
      )}
    </Dialog>
  )
}

function RotateDialog({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const { name, apiKeys } = operator
  const { operators: texts, settings } = t.value
  return (
    <Dialog title={`${texts.rotate}: ${name}`} onClose={onClose} isFirm>
      <p class="quiet">{settings.rotateLead}</p>
      <RotateForm
        label={texts.key(name)}
        keys={apiKeys}
        rotate={async (overlapSeconds) => {
          const rotated = await rotateOperatorKey(name, overlapSeconds)
          refresh('operators')
          return rotated
        }}
      />
    </Dialog>
  )
}

function RevokeDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { operators: texts } = t.value
  const revoke = useAction(async () => {
    await revokeOperator(name)
    refresh('operators')
    toast(texts.revoked(name))
    onClose()
  })
  return (
    <Dialog title={`${texts.revoke}: ${name}`} onClose={onClose}>
      <DialogForm label={texts.revoke} isDanger action={revoke} onCancel={onClose}>
        <p>{texts.revokeLead}</p>
      </DialogForm>
    </Dialog>
  )
}
