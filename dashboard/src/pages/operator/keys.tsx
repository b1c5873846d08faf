import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { refresh } from '../../api/cache.ts'
import { listSigningKeys, revokeSigningKey, rotateSigningKey } from '../../api/operator.ts'
import { useResource } from '../../api/resource.ts'
import type { SigningKey } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Dialog, DialogFoot } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { PageHead } from '../../ui/page.tsx'
import { FormError, Loaded, messageOf } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'

const PURPOSES = ['credentials', 'receipts'] as const

/** The keys that credentials and receipts are signed with. */
export function Keys() {
  const { signingKeys: texts, common } = t.value
  const keys = useResource('signing-keys', listSigningKeys)
  const revoking = useSignal<SigningKey | null>(null)
  const rotate = useAction(async (purpose: SigningKey['purpose']) => {
    try {
      await rotateSigningKey(purpose)
      refresh('signing-keys')
      toast(texts.rotated)
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
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
      <Loaded of={keys} rows={3}>
        {({ data }) => (
          <div class="table-frame">
            <table>
              <thead>
                <tr>
                  <th scope="col">{texts.purpose}</th>
                  <th scope="col">{texts.kid}</th>
                  <th scope="col">{common.status}</th>
                  <th scope="col">{common.created}</th>
                  <th scope="col">
                    <span class="visually-hidden">{common.actions}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.map((key) => (
                  <tr key={key.kid}>
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
                        <button
                          type="button"
                          class="danger"
                          onClick={() => {
                            revoking.value = key
                          }}
                        >
                          {texts.revoke}
                          <span class="visually-hidden"> {key.kid}</span>
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
      {revoking.value && (
        <RevokeDialog
          kid={revoking.value.kid}
          onClose={() => {
            revoking.value = null
          }}
        />
      )}
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
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void revoke.run()
        }}
      >
        <p>{texts.revokeLead}</p>
        <TextArea
          label={common.reason}
          required
          maxLength={500}
          value={reason.value}
          onValue={(value) => {
            reason.value = value
          }}
        />
        <FormError error={revoke.error} />
        <DialogFoot label={texts.revoke} isDanger isDisabled={revoke.isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
