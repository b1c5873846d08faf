import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { authOptions } from '../../../api/auth.ts'
import { refresh } from '../../../api/cache.ts'
import { useResource } from '../../../api/resource.ts'
import { t } from '../../../messages/index.ts'
import { Secret } from '../../../ui/copy.tsx'
import { Dialog, DialogDone, DialogFoot } from '../../../ui/dialog.tsx'
import { FormError, Loaded } from '../../../ui/states.tsx'
import { type DemoOwner, loadDemo } from './load.ts'

/** Offers data to look at, on an installation that has none. */
export function DemoButton() {
  const { demo: texts } = t.value
  const isOpen = useSignal(false)
  return (
    <>
      <button
        type="button"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {texts.load}
      </button>
      {isOpen.value && (
        <DemoDialog
          onClose={() => {
            isOpen.value = false
            refresh('platforms', 'owners', 'reviews')
          }}
        />
      )}
    </>
  )
}

function DemoDialog({ onClose }: { onClose: () => void }) {
  const { demo: texts, session } = t.value
  const owner = useSignal<DemoOwner | null>(null)
  const options = useResource('auth-options', authOptions)
  const load = useAction(async () => {
    owner.value = await loadDemo()
  })
  return (
    <Dialog title={texts.title} onClose={onClose} isFirm={load.isBusy || owner.value !== null}>
      {owner.value === null ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void load.run()
          }}
        >
          <p>{texts.what}</p>
          <p class="quiet">{texts.lasts}</p>
          <FormError error={load.error} />
          <Loaded of={options} rows={1}>
            {({ registration }) =>
              registration === 'open' ? (
                <DialogFoot label={texts.load} isDisabled={load.isBusy} onCancel={onClose} />
              ) : (
                <p>{texts.closed}</p>
              )
            }
          </Loaded>
        </form>
      ) : (
        <>
          <p>{texts.done}</p>
          <p>
            {session.email}: <code>{owner.value.email}</code>
          </p>
          <Secret label={session.password} value={owner.value.password} />
          <DialogDone onDone={onClose} />
        </>
      )}
    </Dialog>
  )
}
