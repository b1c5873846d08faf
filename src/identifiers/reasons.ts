import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import { LABEL_CHARS_MAX, NAME_CHARS_MAX } from '../outbound/url.ts'

/** What is wrong with a value, in words that go on from the field's name; null for nothing. */
export type Reason = string | null

/** The reason of the first pattern that a text has. */
export function firstReason(
  table: readonly (readonly [pattern: RegExp, reason: string])[],
  text: string,
): Reason {
  return table.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** Why a text is no URL of the web. */
export function urlReason(text: string): Reason {
  const [scheme] = /^[a-z][a-z0-9+.-]*:(?=\/\/)/i.exec(text) ?? []
  if (scheme === undefined) {
    return 'has no scheme (https://)'
  }
  if (!/^https?:$/i.test(scheme)) {
    return `has a scheme that is not https (${scheme})`
  }
  return URL.canParse(text) ? null : 'cannot be read as a URL'
}

/** Why a name, in ASCII and without a port, is no host name of RFC 1123. */
export function hostNameReason(name: string): Reason {
  if (name === '') {
    return 'has no host name'
  }
  if (isIP(name) !== 0) {
    return 'is an IP address'
  }
  return labelReason(name) ?? characterReason(name)
}

/** Why the labels of a name cannot be looked up; URLs may have other characters in them. */
export function labelReason(name: string): Reason {
  if (name.length > NAME_CHARS_MAX) {
    return `has a host name of more than ${NAME_CHARS_MAX} characters`
  }
  for (const label of name.split('.')) {
    const reason = oneLabelReason(label)
    if (reason !== null) {
      return reason
    }
  }
  return null
}

function oneLabelReason(label: string): Reason {
  if (label === '') {
    return 'has an empty label: two dots in a row, or a dot at an end'
  }
  if (label.length > LABEL_CHARS_MAX) {
    return `has a label of more than ${LABEL_CHARS_MAX} characters`
  }
  if (label.startsWith('-')) {
    return `has a label that starts with a hyphen ("${label}")`
  }
  return label.endsWith('-') ? `has a label that ends with a hyphen ("${label}")` : null
}

function characterReason(name: string): Reason {
  const [other] = /[^a-z0-9.-]/iu.exec(name) ?? []
  if (other !== undefined) {
    return `has a character that host names do not have (${JSON.stringify(other)})`
  }
  const labels = name.split('.')
  const last = labels.at(-1) ?? ''
  if (/^\d+$/.test(last)) {
    return `has a last label of digits alone ("${last}")`
  }
  const unread = labels.find((label) => label.startsWith('xn--') && domainToUnicode(label) === '')
  return unread === undefined ? null : `has a label that is no internationalised name ("${unread}")`
}

const PORT_MAX = 65_535

/** Why a text is no port; undefined where there is no port, which is allowed. */
export function portReason(port: string | undefined): Reason {
  const isPort =
    port === undefined || (/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) <= PORT_MAX)
  return isPort ? null : `has a port that is no number from 1 to ${PORT_MAX} ("${port}")`
}
