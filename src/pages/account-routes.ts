import { TrustError } from '../domain/error.ts'
import type { Exchange, PageRoute } from '../http/endpoint.ts'
import { readForm } from '../http/request.ts'
import type { Response } from '../http/response.ts'
import {
  confirmEmailPage,
  donePage,
  ENDED_LINK,
  invitationPage,
  type Problem,
  resetPasswordPage,
} from './account.ts'
import type { Page } from './layout.ts'
import { get, pageResponse } from './respond.ts'

export type LinkKind = 'password_reset' | 'email_confirmation' | 'invitation'

/** What the links of mails do. The API does the same; these pages need no script. */
export interface AccountLinks {
  /** The OpenID Connect provider; null for none. */
  readonly oidcName: string | null
  /** Whether the link still works, without using it. */
  isOpen(kind: LinkKind, token: string): Promise<boolean>
  /** Carries out a form. @throws TrustError for what the person can correct, or an ended link */
  submit(kind: LinkKind, form: URLSearchParams, address: string): Promise<void>
}

interface LinkPage {
  readonly kind: LinkKind
  readonly path: string
  readonly page: typeof resetPasswordPage
  readonly done: readonly [title: string, text: string]
}

const PAGES: readonly LinkPage[] = [
  {
    kind: 'password_reset',
    path: '/reset-password',
    page: resetPasswordPage,
    done: ['Your password is set', 'Sign in with the new password.'],
  },
  {
    kind: 'email_confirmation',
    path: '/confirm-email',
    page: confirmEmailPage,
    done: ['Your address is confirmed', 'You can close this page.'],
  },
  {
    kind: 'invitation',
    path: '/invitation',
    page: invitationPage,
    done: ['Welcome', 'Sign in with your e-mail address and the password that you chose.'],
  },
]

/** The pages that links in mails lead to. Opening one changes nothing: mail scanners open links. */
export function accountRoutes(links: AccountLinks, basePath: string): readonly PageRoute[] {
  return PAGES.flatMap((one) => routesOf(links, basePath, one))
}

function routesOf(
  links: AccountLinks,
  basePath: string,
  { kind, path, page, done }: LinkPage,
): readonly PageRoute[] {
  const { oidcName } = links
  const respond = (status: number, shown: Page) => pageResponse(basePath, status, shown)
  const show = async (status: number, token: string, problem: Problem) =>
    (await links.isOpen(kind, token))
      ? respond(status, page({ basePath, path, token, problem, oidcName }))
      : respond(410, ENDED_LINK)

  async function submit({ request, address }: Exchange): Promise<Response> {
    const form = await readForm(request)
    try {
      await links.submit(kind, form, address)
    } catch (error) {
      if (error instanceof TrustError && CORRECTABLE.includes(error.code)) {
        return show(400, form.get('token') ?? '', error.message)
      }
      throw error
    }
    return respond(200, donePage(basePath, ...done))
  }

  return [
    get(path, ({ request }) =>
      show(200, new URLSearchParams(request.search).get('token') ?? '', null),
    ),
    { method: 'post', path, handle: submit },
  ]
}

/** Refusals that the person reads on the form. */
const CORRECTABLE: readonly string[] = ['VALIDATION_ERROR', 'CONFLICT', 'FORBIDDEN']
