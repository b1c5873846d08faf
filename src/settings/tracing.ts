import { UserError } from '../lib/user-error.ts'
import type { Environment } from './values.ts'

/** Where traces go and which are kept, from the variables that OpenTelemetry defines. */
export interface TracingSettings {
  /** The address that takes OTLP as JSON. */
  readonly endpoint: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly serviceName: string
  /** Attributes of the resource besides the name of the service. */
  readonly resource: Readonly<Record<string, string>>
  readonly sampler: SamplerSettings
  /** A variable that asks for another protocol than the one used, with its value: `NAME=value`. Null for none. */
  readonly ignored: string | null
}

export interface SamplerSettings {
  /** Whether the decision of the caller in `traceparent` is followed. */
  readonly followsParent: boolean
  /** The share of the other traces that is kept, 0 to 1. */
  readonly share: number
}

/** The default of OpenTelemetry. */
const TIMEOUT_MS = 10_000

/** Null where no endpoint is set, or tracing is turned off. @throws UserError */
export function tracingSettings(env: Environment): TracingSettings | null {
  const endpoint = endpointOf(env)
  const isOff =
    env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  if (endpoint === null || isOff) {
    return null
  }
  const { 'service.name': named, ...resource } = pairsIn({
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    text: env.OTEL_RESOURCE_ATTRIBUTES ?? '',
  })
  return {
    endpoint,
    headers: pairsIn(exporterVariable('HEADERS', env)),
    timeoutMs: timeout(env),
    serviceName: env.OTEL_SERVICE_NAME || named || 'standing',
    resource,
    sampler: sampler(env),
    ignored: ignoredProtocol(env),
  }
}

interface Variable {
  readonly name: string
  /** Empty where it is not set, as OpenTelemetry reads an empty one. */
  readonly text: string
}

/** The variable for traces, or the one for all signals. */
function exporterVariable(
  what: 'ENDPOINT' | 'PROTOCOL' | 'HEADERS' | 'TIMEOUT',
  env: Environment,
): Variable {
  const names = [`OTEL_EXPORTER_OTLP_TRACES_${what}`, `OTEL_EXPORTER_OTLP_${what}`] as const
  const name = env[names[0]] ? names[0] : names[1]
  return { name, text: env[name] ?? '' }
}

/**
 * OpenTelemetry has a warning for a value that an implementation does not know. `http/protobuf` is common, and
 * collectors take both on one port; that of gRPC is another one, so traces would be lost.
 */
function ignoredProtocol(env: Environment): string | null {
  const { name, text } = exporterVariable('PROTOCOL', env)
  if (text.toLowerCase() === 'grpc') {
    throw new UserError(
      `${name} is grpc, and traces are sent over HTTP: set it to http/json, and the endpoint to the HTTP ` +
        'port of the collector (4318).',
    )
  }
  return ['', 'http/json'].includes(text.toLowerCase()) ? null : `${name}=${text}`
}

/** The address for traces is taken as it is; to the common one the path is added. */
function endpointOf(env: Environment): string | null {
  const { name, text } = exporterVariable('ENDPOINT', env)
  if (!text) {
    return null
  }
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UserError(`${name} must be an http or https address: http://localhost:4318.`)
  }
  return name === 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
    ? text
    : `${text.replace(/\/+$/, '')}/v1/traces`
}

function timeout(env: Environment): number {
  const { name, text } = exporterVariable('TIMEOUT', env)
  if (!text) {
    return TIMEOUT_MS
  }
  if (!/^[1-9]\d{0,6}$/.test(text)) {
    throw new UserError(`${name} must be milliseconds, not "${text}".`)
  }
  return Number(text)
}

const SAMPLERS = ['always_on', 'always_off', 'traceidratio']

function sampler(env: Environment): SamplerSettings {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const followsParent = name.startsWith('parentbased_')
  const kind = followsParent ? name.slice('parentbased_'.length) : name
  if (!SAMPLERS.includes(kind)) {
    const names = SAMPLERS.flatMap((one) => [one, `parentbased_${one}`]).join(', ')
    throw new UserError(`OTEL_TRACES_SAMPLER must be one of ${names}, not "${name}".`)
  }
  const share = kind === 'always_off' ? 0 : kind === 'always_on' ? 1 : ratio(env)
  return { followsParent, share }
}

function ratio({ OTEL_TRACES_SAMPLER_ARG: text = '' }: Environment): number {
  const share = text === '' ? 1 : Number(text)
  if (!(share >= 0 && share <= 1)) {
    throw new UserError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not "${text}".`)
  }
  return share
}

/** `name=value,name=value`, with the values percent-encoded. */
function pairsIn({ name, text }: Variable): Readonly<Record<string, string>> {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf('=')
      if (at < 1) {
        throw new UserError(`${name} must read name=value,name=value.`)
      }
      return [part.slice(0, at).trim(), decoded(part.slice(at + 1).trim())]
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
