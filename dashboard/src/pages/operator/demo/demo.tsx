import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { authOptions } from '../../../api/auth.ts'
import { refresh } from '../../../api/cache.ts'
import { useResource } from '../../../api/resource.ts'
import { t } from '../../../messages/index.ts'
import { Secret } from '../../../ui/copy.tsx'
import { Dialog, DialogButton, DialogDone, DialogForm } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { type DemoOwner, loadDemo } from './load.ts'

/** Offers data to look at, on an installation that has none. */
export function DemoButton() {
  return (
    <DialogButton label={t.value.demo.load}>
      {(close) => (
        <DemoDialog
          onClose={() => {
            close()
            refresh('platforms', 'owners', 'reviews')
          }}
        />
      )}
    </DialogButton>
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
    <Dialog title={texts.title} onClose={onClose} isFirm={load.isBusy}>
      {owner.value === null ? (
        <>
          <p>{texts.what}</p>
          <p class="quiet">{texts.lasts}</p>
          <Loaded of={options} rows={1}>
            {({ registration }) =>
              registration === 'open' ? (
                <DialogForm label={texts.load} action={load} onCancel={onClose} />
              ) : (
                <p>{texts.closed}</p>
              )
            }
          </Loaded>
        </>
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
