import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useAction } from '../../api/action.ts'
import { finishOidc } from '../../api/auth.ts'
import type { AuthOptions } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { rememberPage, takeArrived, takeRememberedPage } from '../../session/arrival.ts'
import { signIn } from '../../session/enter.ts'
import { FormError } from '../../ui/states.tsx'

/** Leaves for the provider. The page that was asked for is shown after the way back. */
export function OidcLink({ to }: { to: NonNullable<AuthOptions['oidc']> }) {
  const { session } = t.value
  return (
    <>
      <a class="button" href={to.startUrl} onClick={rememberPage}>
        {session.continueWith(to.name)}
      </a>
      <p class="or quiet">{session.or}</p>
    </>
  )
}

/** Finishes the sign-in of a browser that has come back from the provider. */
export function OidcReturn() {
  const { session } = t.value
  const { route } = useLocation()
  const enter = useAction(async (code: string) => {
    signIn(await finishOidc(code))
    const page = takeRememberedPage()
    if (page) {
      route(page, true)
    }
  })
  useEffect(() => {
    const code = takeArrived('oidc')
    if (code) {
      void enter.run(code)
    }
  }, [])
  if (enter.isBusy) {
    return (
      <p class="banner" role="status">
        {session.finishing}
      </p>
    )
  }
  return <FormError error={enter.error} />
}
