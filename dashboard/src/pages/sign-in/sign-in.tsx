import { useSignal } from '@preact/signals'
import { drawMark } from '@standing/design/mark.ts'
import { useEffect } from 'preact/hooks'
import { authOptions } from '../../api/auth.ts'
import { useResource } from '../../api/resource.ts'
import { t } from '../../messages/index.ts'
import { takeArrived } from '../../session/arrival.ts'
import { wasEnded } from '../../session/session.ts'
import { Drawn } from '../../ui/drawn.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Loaded } from '../../ui/states.tsx'
import { KeyForm } from './key-form.tsx'
import { OidcLink, OidcReturn } from './oidc.tsx'
import { OwnerForm } from './owner-form.tsx'
import { ResetForm } from './reset-form.tsx'

/** Who is not signed in sees this at every address, and then the page that was asked for. */
export function SignIn() {
  const { session, common } = t.value
  const key = useSignal(takeArrived('key'))
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
        of={way}
        options={[
          { value: 'owner', label: session.owner },
          { value: 'key', label: session.withKey },
        ]}
      />
      {way.value === 'key' ? <KeyWay initial={key.value} /> : <OwnerWays />}
    </main>
  )
}

/** The form for a key, and where the first key of an installation comes from. */
function KeyWay({ initial }: { initial: string }) {
  const { session } = t.value
  return (
    <>
      <KeyForm initial={initial} />
      <aside class="quiet">
        <h2>{session.firstTitle}</h2>
        <p>{session.firstText}</p>
      </aside>
    </>
  )
}

/** As many lines as the form for an owner has, so that nothing moves when it is known. */
const FORM_ROWS = 5

/** The ways in for an owner: the provider, a password, a new account, a forgotten password. */
function OwnerWays() {
  const options = useResource('auth-options', authOptions)
  const isReset = useSignal(false)
  return (
    <Loaded of={options} rows={FORM_ROWS}>
      {(ways) => (
        <>
          <OidcReturn />
          {ways.oidc && <OidcLink to={ways.oidc} />}
          {isReset.value ? (
            <ResetForm
              ways={ways}
              onBack={() => {
                isReset.value = false
              }}
            />
          ) : (
            <OwnerForm
              ways={ways}
              onForgotten={() => {
                isReset.value = true
              }}
            />
          )}
        </>
      )}
    </Loaded>
  )
}
