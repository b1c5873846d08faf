import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../api/action.ts'
import { changePassword, ownSelf } from '../../api/auth.ts'
import { refresh } from '../../api/cache.ts'
import { useResource } from '../../api/resource.ts'
import { chooseLanguage, LANGUAGES, type Language, language, t } from '../../messages/index.ts'
import { isTestMode } from '../../session/mode.ts'
import { begin, session } from '../../session/session.ts'
import { optionsOf, SelectField, TextField } from '../../ui/field.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { issueOf } from '../../ui/said.tsx'
import { FormError, Loaded } from '../../ui/states.tsx'
import { setTheme, type Theme, theme } from '../../ui/theme.ts'
import { toast } from '../../ui/toasts.tsx'
import { ModeSwitch } from '../test-data/mode-switch.tsx'
import { TestPlatform } from '../test-data/test-platform.tsx'
import { emailOf, Person } from './person.tsx'
import { Sessions } from './sessions.tsx'

export function Account() {
  const { session: texts, testData } = t.value
  const who = session.value
  return (
    <>
      <PageHead title={texts.accountTitle} />
      {who?.kind === 'owner' && <Self expiresAt={who.expiresAt} />}
      {who?.kind === 'operator' && (
        <Section title={testData.title} lead={testData.lead}>
          <ModeSwitch />
        </Section>
      )}
      {who?.kind === 'platform' && !isTestMode.value && (
        <Section title={testData.title} lead={testData.ownLead}>
          <TestPlatform />
        </Section>
      )}
      <Appearance />
      {who?.kind === 'owner' && <Sessions />}
    </>
  )
}

function Self({ expiresAt }: { expiresAt: string }) {
  const account = useResource('owner', ownSelf)
  return (
    <Loaded of={account} rows={4}>
      {(data) => (
        <>
          <Person account={data} expiresAt={expiresAt} />
          <Password email={emailOf(data)} />
        </>
      )}
    </Loaded>
  )
}

function Password({ email }: { email: string }) {
  const texts = t.value.session
  const current = useSignal('')
  const next = useSignal('')
  const change = useAction(async () => {
    const body = { currentPassword: current.value, newPassword: next.value }
    begin(await changePassword(body))
    current.value = ''
    next.value = ''
    refresh('sessions')
    toast(texts.passwordChanged)
  })
  return (
    <Section title={texts.changePassword}>
      <form class="narrow-form" onSubmit={submits(change)}>
        <input hidden autoComplete="username" value={email} readOnly />
        <TextField
          label={texts.currentPassword}
          type="password"
          autoComplete="current-password"
          required
          error={issueOf(change.error, 'currentPassword')}
          of={current}
        />
        <TextField
          label={texts.newPassword}
          hint={texts.passwordHint}
          type="password"
          autoComplete="new-password"
          minLength={12}
          maxLength={128}
          required
          error={issueOf(change.error, 'newPassword')}
          of={next}
        />
        <FormError error={change.error} fields={['currentPassword', 'newPassword']} />
        <button type="submit" disabled={change.isBusy}>
          {texts.changePassword}
        </button>
      </form>
    </Section>
  )
}

function Appearance() {
  const texts = t.value.session
  return (
    <Section title={texts.appearance}>
      <div class="narrow-form">
        <SelectField<Theme>
          label={texts.theme}
          value={theme.value}
          options={optionsOf(['auto', 'light', 'dark'], texts.themes)}
          onValue={setTheme}
        />
        <SelectField<Language>
          label={texts.language}
          value={language.value}
          options={optionsOf(Object.keys(LANGUAGES) as Language[], LANGUAGES)}
          onValue={(value) => void chooseLanguage(value)}
        />
      </div>
    </Section>
  )
}
