/** Nothing that is not a page may load anything, and no response is shown in a frame. */
const POLICY = "default-src 'none'; frame-ancestors 'none'"

/** On every response. A page replaces the policy by its own. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': POLICY,
} as const
