import { type Html, html } from './html.ts'
import type { Page } from './layout.ts'

/** What a form shows above its fields: why the last attempt was refused; null at first. */
export type Problem = string | null

interface FormOptions {
  /** The OpenID Connect provider, by which an invitation can be accepted too; null for none. */
  readonly oidcName: string | null
  readonly basePath: string
  readonly path: string
  readonly token: string
  readonly problem: Problem
}

function form({ basePath, path, token, problem }: FormOptions, fields: Html, button: string): Html {
  return html`${problem && html`<p role="alert"><strong>${problem}</strong></p>`}
<form method="post" action="${basePath}${path}">
<input type="hidden" name="token" value="${token}">
${fields}
<button>${button}</button>
</form>`
}

const NEW_PASSWORD = html`<p><label>New password, at least 12 characters<br>
<input type="password" name="password" autocomplete="new-password" minlength="12" maxlength="128" required>
</label></p>`

export function resetPasswordPage(options: FormOptions): Page {
  return {
    title: 'Set a new password',
    body: html`<h1>Set a new password</h1>
<p>It replaces the password of your account. Everyone who is signed in with the old one is signed out.</p>
${form(options, NEW_PASSWORD, 'Set the password')}`,
  }
}

export function confirmEmailPage(options: FormOptions): Page {
  return {
    title: 'Confirm your e-mail address',
    body: html`<h1>Confirm your e-mail address</h1>
<p>Confirm that the address to which this link was sent is yours.</p>
${form(options, html``, 'Confirm the address')}`,
  }
}

export function invitationPage(options: FormOptions): Page {
  const fields = html`<p><label>Your e-mail address, to which the invitation was sent<br>
<input type="email" name="email" autocomplete="username" maxlength="254" required></label></p>
<p><label>Your name<br><input name="name" autocomplete="name" maxlength="100"></label></p>
${NEW_PASSWORD}`
  return {
    title: 'Accept the invitation',
    body: html`<h1>Accept the invitation</h1>
${oidcLink(options)}
<p>Choose the password that you will sign in with.</p>
${form(options, fields, 'Accept')}`,
  }
}

function oidcLink({ basePath, oidcName, token }: FormOptions): Html | null {
  return oidcName === null
    ? null
    : html`<p><a href="${oidcStart(basePath, token)}">Continue with ${oidcName}</a>, or:</p>`
}

function oidcStart(basePath: string, invitation: string | null): string {
  const search = invitation === null ? '' : `?invitation=${encodeURIComponent(invitation)}`
  return `${basePath}/auth/oidc/start${search}`
}

interface OidcStartOptions {
  readonly name: string
  readonly basePath: string
  readonly invitation: string | null
}

/** For a person whom a link of another site has led here. */
export function oidcStartPage({ name, basePath, invitation }: OidcStartOptions): Page {
  return {
    title: 'Sign in',
    body: html`<h1>Sign in</h1>
<p>A link of another site leads to a sign-in here.</p>
<p><a href="${oidcStart(basePath, invitation)}">Continue with ${name}</a></p>`,
  }
}

/** What was done, and where to go from there. */
export function donePage(basePath: string, title: string, text: string): Page {
  return {
    title,
    body: html`<h1>${title}</h1><p>${text}</p><p><a href="${basePath}/">Sign in</a></p>`,
  }
}

export const ENDED_LINK: Page = {
  title: 'This link is not valid',
  body: html`<h1>This link is not valid</h1>
<p>It was used, replaced by a newer one, or has expired. Ask for a new link.</p>`,
}
