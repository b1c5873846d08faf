import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { refresh } from '../../api/cache.ts'
import { useList } from '../../api/list.ts'
import { listSigningKeys, revokeSigningKey, rotateSigningKey } from '../../api/operator.ts'
import type { SigningKey } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Dialog, DialogForm, useChosen } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Listing } from '../../ui/listing.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { useToastedAction } from '../../ui/toasted-action.tsx'
import { toast } from '../../ui/toasts.tsx'

/** Lists identify rows by `id`; the id of a key is its kid. */
interface Named extends SigningKey {
  readonly id: string
}

const PURPOSES = ['credentials', 'receipts'] as const

/** The keys that credentials and receipts are signed with. */
export function Keys() {
  const { signingKeys: texts, common } = t.value
  const keys = useList<Named>('signing-keys', async (cursor, signal) => {
    const { data, nextCursor } = await listSigningKeys(cursor, signal)
    return { data: data.map((key) => ({ ...key, id: key.kid })), nextCursor }
  })
  const revoking = useChosen<SigningKey>()
  const rotate = useToastedAction(async (purpose: SigningKey['purpose']) => {
    await rotateSigningKey(purpose)
    refresh('signing-keys')
    toast(texts.rotated)
  })
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {PURPOSES.map((purpose) => (
          <button key={purpose} type="button" onClick={() => void rotate.run(purpose)}>
            {texts.rotate(texts.purposes[purpose])}
          </button>
        ))}
      </PageHead>
      <Listing
        of={keys}
        none=""
        columns={[texts.purpose, texts.kid, common.status, common.created]}
        hasActions
      >
        {(key) => (
          <tr>
            <th scope="row">{texts.purposes[key.purpose]}</th>
            <td class="mono">{key.kid}</td>
            <td>
              <Status name={key.status} />
            </td>
            <td>
              <Time at={key.createdAt} />
            </td>
            <td class="number">
              {key.status !== 'revoked' && (
                <RowButton
                  label={texts.revoke}
                  about={key.kid}
                  class="danger"
                  onClick={() => revoking.open(key)}
                />
              )}
            </td>
          </tr>
        )}
      </Listing>
      {revoking.about && <RevokeDialog kid={revoking.about.kid} onClose={revoking.close} />}
    </>
  )
}

function RevokeDialog({ kid, onClose }: { kid: string; onClose: () => void }) {
  const { signingKeys: texts, common } = t.value
  const reason = useSignal('')
  const revoke = useAction(async () => {
    await revokeSigningKey(kid, reason.value.trim())
    refresh('signing-keys')
    toast(texts.revoked)
    onClose()
  })
  return (
    <Dialog title={texts.revoke} onClose={onClose}>
      <DialogForm label={texts.revoke} isDanger action={revoke} onCancel={onClose}>
        <p>{texts.revokeLead}</p>
        <TextArea label={common.reason} required maxLength={500} of={reason} />
      </DialogForm>
    </Dialog>
  )
}
