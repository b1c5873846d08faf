import { randomBytes } from 'node:crypto'
import { type Role, Standing, type StandingOptions } from '@standing/sdk'
import { type DestinationStream, pino } from 'pino'
import type { PasswordCost } from '../../src/auth/passwords.ts'
import { readConfig } from '../../src/config.ts'
import { openService, type Service, type ServiceOptions } from '../../src/service.ts'
import { atEnd } from './at-end.ts'
import { holdToDocument } from './conformance.ts'
import { createDatabase, PATIENT, type TestDatabase } from './database.ts'
import { exchange } from './exchange.ts'

export const OPERATOR_KEY = `avo_${'0'.repeat(32)}`
export const PASSWORD = 'correct horse battery staple'

/**
 * argon2id at the least that it takes. A hash at the cost of the service takes 9 ms of a core, and most
 * tests open accounts without asking what a password costs.
 */
const PASSWORD_COST: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

export interface TestService {
  readonly url: string
  readonly database: TestDatabase
  readonly service: Service
  /** The SDK without a credential, and with the operator's. */
  readonly anyone: Standing
  readonly operator: Standing
  /** Another node on the same database. */
  node(env?: Readonly<Record<string, string>>, options?: ServiceOptions): Promise<Service>
  close(): Promise<void>
}

/**
 * The whole service on a database of its own; closed when the test is done that starts it, or else the
 * file. Whatever it answers to a `fetch` is held to the OpenAPI document.
 */
export async function startService(
  env: Readonly<Record<string, string>> = {},
  options: ServiceOptions = {},
  /** Where the log goes; standard output by default. */
  logTo?: DestinationStream,
): Promise<TestService> {
  const database = await createDatabase()
  const settings = {
    PORT: '0',
    DATABASE_URL: database.url,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
    STANDING_SECRET_KEY: randomBytes(32).toString('base64'),
    STANDING_WEBHOOK_ALLOW: '127.0.0.0/8',
    // Reads what other tests count or spoil; it has a test of its own.
    STANDING_SELF_CHECK: 'off',
    LOG_LEVEL: 'error',
    ...env,
  }
  const opened: Service[] = []
  const node: TestService['node'] = async (more = {}, mine = options) => {
    const config = readConfig({ ...settings, ...more })
    const service = await openService(config, pino({ level: config.logLevel }, logTo), {
      passwordCost: PASSWORD_COST,
      databaseLimits: PATIENT,
      ...mine,
    })
    opened.push(service)
    return service
  }
  holdToDocument(({ origin }) => opened.some(({ url }) => new URL(url).origin === origin))
  const service = await node()
  let closing: Promise<void> | undefined
  const closeAll = async () => {
    await Promise.all(opened.map((one) => one.close()))
    await database.drop()
  }
  const close = () => {
    closing ??= closeAll()
    return closing
  }
  atEnd(close)
  const baseUrl = service.url
  return {
    url: baseUrl,
    database,
    service,
    anyone: new Standing({ baseUrl, retriesMax: 0 }),
    operator: new Standing({ baseUrl, operatorKey: OPERATOR_KEY, retriesMax: 0 }),
    node,
    close,
  }
}

/**
 * The SDK for what only prepares a test: repeated where the service is busy, which a machine that does much else can
 * make it.
 */
function preparing({ url: baseUrl }: TestService, credential: Partial<StandingOptions> = {}) {
  return new Standing({ baseUrl, ...credential, retriesMax: 5, fetch: plainly })
}

/**
 * Tests make thousands of people, agents and platforms. Without an Idempotency-Key, and without being held to the
 * OpenAPI document, to make one takes two thirds of the processor time. Other tests hold the same operations to both.
 */
async function plainly(href: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.delete('idempotency-key')
  const url = new URL(href)
  const { method = 'GET' } = init
  return (await exchange(url, method, { ...init, headers })) ?? fetch(url, { ...init, headers })
}

let people = 0

/** A new owner, with the SDK acting for the owner. */
export async function newOwner(at: TestService) {
  const email = `owner-${++people}@example.com`
  const session = await preparing(at).auth.register({ email, password: PASSWORD })
  const client = new Standing({ baseUrl: at.url, token: session.token, retriesMax: 0 })
  return { ...session, email, client }
}

/** A new member of an account, with the SDK speaking for that person. */
export async function newMember(
  at: TestService,
  owner: Awaited<ReturnType<typeof newOwner>>,
  role: Role = 'member',
) {
  const email = `member-${++people}@example.com`
  const { token } = owner
  const { link } = await preparing(at, { token }).invitations.create({ email, role })
  const invitation = new URL(link ?? '').searchParams.get('token') ?? ''
  const session = await preparing(at).auth.register({ email, password: PASSWORD, invitation })
  const client = new Standing({ baseUrl: at.url, token: session.token, retriesMax: 0 })
  const { member } = await client.auth.me()
  if (!member) {
    throw new Error('a person asked')
  }
  return { ...session, email, member, client }
}

/** A new agent of a new owner, with the SDK speaking as each of them. */
export async function newAgent(at: TestService, owner?: Awaited<ReturnType<typeof newOwner>>) {
  const its = owner ?? (await newOwner(at))
  const { token } = its
  const agent = await preparing(at, { token }).agents.register({ displayName: 'agent' })
  const client = new Standing({ baseUrl: at.url, apiKey: agent.apiKey, retriesMax: 0 })
  return { agent, owner: its, client }
}

/** A new platform with the SDK speaking as it: verified, so that each of its reports has full weight. */
export async function newPlatform(
  at: TestService,
  input: Partial<Parameters<Standing['operator']['createPlatform']>[0]> = {},
) {
  const platform = await preparing(at, { operatorKey: OPERATOR_KEY }).operator.createPlatform({
    name: 'platform',
    verified: true,
    ...input,
  })
  const client = new Standing({ baseUrl: at.url, apiKey: platform.apiKey, retriesMax: 0 })
  return { platform, client }
}
