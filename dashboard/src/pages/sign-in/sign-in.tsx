import { useSignal } from '@preact/signals'
import { drawMark } from '@standing/design/mark.ts'
import { useEffect } from 'preact/hooks'
import { t } from '../../messages/index.ts'
import { wasEnded } from '../../session/session.ts'
import { Drawn } from '../../ui/drawn.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { KeyForm } from './key-form.tsx'
import { OwnerForm } from './owner-form.tsx'

/** Who is not signed in sees this at every address, and then the page that was asked for. */
export function SignIn() {
  const { session, common } = t.value
  const key = useSignal(keyInAddress())
  const way = useSignal<'owner' | 'key'>(key.value === '' ? 'owner' : 'key')
  useEffect(() => {
    document.title = `${session.signIn} · ${common.product}`
  }, [session, common])
  return (
    <main class="sign-in">
      <header>
        <Drawn markup={drawMark(28)} />
        <div>
          <h1>{common.product}</h1>
          <p class="quiet">{session.lead}</p>
        </div>
      </header>
      {wasEnded.value && (
        <p class="banner banner-warn" role="status">
          {session.ended}
        </p>
      )}
      <Segmented
        label={session.signIn}
        value={way.value}
        options={[
          { value: 'owner', label: session.owner },
          { value: 'key', label: session.withKey },
        ]}
        onValue={(next) => {
          way.value = next
        }}
      />
      {way.value === 'key' ? <KeyForm initial={key.value} /> : <OwnerForm />}
      <aside class="quiet">
        <h2>{session.firstTitle}</h2>
        <p>{session.firstText}</p>
      </aside>
    </main>
  )
}

/**
 * The page that hands out a key may lead here with `#key=avo_…`: a fragment is not sent to any
 * server. It fills in the field and is gone from the address; somebody still has to press the button.
 */
function keyInAddress(): string {
  const key = new URLSearchParams(location.hash.slice(1)).get('key') ?? ''
  if (key) {
    history.replaceState(null, '', location.pathname + location.search)
  }
  return key
}
