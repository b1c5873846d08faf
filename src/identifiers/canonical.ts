import { domainToASCII } from 'node:url'

/**
 * The canonical spelling of a name: claims are stored in it and lookups ask for it, so a
 * lookup needs no type. What is no name of a known form stays as it is.
 */
export function canonicalIdentifier(text: string): string {
  if (/^https?:\/\//i.test(text)) {
    return canonicalUrl(text)
  }
  if (text.startsWith('did:web:')) {
    return canonicalDidWeb(text)
  }
  if (/^spiffe:\/\//i.test(text)) {
    const [, domain = '', path = ''] = /^spiffe:\/\/([^/]*)(.*)$/i.exec(text) ?? []
    return `spiffe://${domain.toLowerCase()}${path}`
  }
  if (/^eip155:/.test(text)) {
    return text.toLowerCase().replace(/^eip155:0+(?=\d)/, 'eip155:')
  }
  if (HOST.test(text)) {
    return canonicalHost(text)
  }
  const [, namespace, name] = SERVER_NAME.exec(text) ?? []
  return namespace === undefined ? text : `${namespace.toLowerCase()}/${name}`
}

/**
 * The characters of DNS names as people write them: letters of any script, with the marks and joiners that belong to
 * them. Which of these a name may have, and where, is decided by `domainToASCII` (UTS 46).
 */
const NAME = /[\p{L}\p{M}\p{N}\p{Join_Control}.-]+/u.source

/** A DNS name with an optional port. */
const HOST = new RegExp(`^(?=.*\\.|localhost)${NAME}(:\\d{1,5})?$`, 'u')

/** A DNS name alone. */
const HOST_NAME = new RegExp(`^${NAME}$`, 'u')

/** `com.example/weather`, as the registry of MCP servers writes it. */
export const SERVER_NAME = /^([a-zA-Z0-9.-]+)\/([a-zA-Z0-9._-]+)$/

/** Where an origin lists the keys of its agents (draft-meunier-http-message-signatures-directory). */
export const KEY_DIRECTORY_PATH = '/.well-known/http-message-signatures-directory'

/** As the WHATWG parser writes it. A key directory stands for its origin, as `Signature-Agent` names it. */
function canonicalUrl(text: string): string {
  if (!URL.canParse(text)) {
    return text
  }
  const { origin, href, pathname, search, hash, username } = new URL(text)
  const isOrigin = pathname === '/' || pathname === KEY_DIRECTORY_PATH
  return isOrigin && `${search}${hash}${username}` === '' ? origin : href
}

function canonicalHost(text: string): string {
  const [name = '', port] = text.split(':')
  const ascii = domainToASCII(name).replace(/\.$/, '')
  // A number, since `0443` is the same port.
  const number = Number(port ?? HTTPS_PORT)
  return `${ascii || name.toLowerCase()}${number === HTTPS_PORT ? '' : `:${number}`}`
}

const HTTPS_PORT = 443

/** The host of did:web is a DNS name, the path behind it is not. */
function canonicalDidWeb(text: string): string {
  const [host = '', ...path] = text.slice('did:web:'.length).split(':')
  const [name = '', port] = host.split(/%3a/i)
  if (!HOST_NAME.test(name) || !/^\d{1,5}$/.test(port ?? '443')) {
    return text
  }
  const authority = canonicalHost(port === undefined ? name : `${name}:${port}`)
  return ['did:web', authority.replace(':', '%3A'), ...path].join(':')
}
