import { createCalls } from './calls.ts'
import type { StandingOptions } from './options.ts'
import {
  type Invitations,
  invitationCalls,
  type Members,
  memberCalls,
  type OwnerKeys,
  ownerKeyCalls,
} from './resources/account.ts'
import { type Agents, agentCalls } from './resources/agents.ts'
import { type Auth, authCalls } from './resources/auth.ts'
import { type Credentials, credentialCalls } from './resources/credentials.ts'
import { type Decisions, decisionCalls, type Policies, policyCalls } from './resources/decisions.ts'
import { type Events, eventCalls } from './resources/events.ts'
import { type Identifiers, identifierCalls } from './resources/identifiers.ts'
import { type Lookups, lookupCalls } from './resources/lookup.ts'
import { type Mappings, mappingCalls } from './resources/mappings.ts'
import { type Operator, operatorCalls } from './resources/operator.ts'
import { type Scores, scoreCalls } from './resources/scores.ts'
import { type TestData, testDataCalls } from './resources/test-data.ts'
import { type Transfers, transferCalls } from './resources/transfers.ts'
import { type Watches, watchCalls } from './resources/watches.ts'
import { type Webhooks, webhookCalls } from './resources/webhooks.ts'
import { settingsOf, withEnvironment } from './settings.ts'
import { createTransport } from './transport.ts'

/**
 * A client of the service. Each call sends the credential it needs, of those that the client has. A
 * client without that one sends what it has, or nothing, and the service's answer says what it needs.
 */
export class Standing {
  readonly agents: Agents
  readonly transfers: Transfers
  readonly identifiers: Identifiers
  readonly lookup: Lookups
  readonly decisions: Decisions
  readonly policies: Policies
  readonly mappings: Mappings
  readonly score: Scores
  readonly events: Events
  readonly auth: Auth
  readonly members: Members
  readonly invitations: Invitations
  readonly keys: OwnerKeys
  readonly credentials: Credentials
  readonly webhooks: Webhooks
  readonly watches: Watches
  readonly testData: TestData
  readonly operator: Operator
  readonly #given: StandingOptions
  readonly #options: StandingOptions

  /** Without options: the service at STANDING_URL or http://127.0.0.1:8080, by the keys of the environment. */
  constructor(options: StandingOptions = {}) {
    this.#given = options
    this.#options = withEnvironment(options)
    const settings = settingsOf(this.#options)
    const calls = createCalls(createTransport(settings))
    this.agents = agentCalls(calls)
    this.transfers = transferCalls(calls)
    this.identifiers = identifierCalls(calls)
    this.lookup = lookupCalls(calls)
    this.decisions = decisionCalls(calls)
    this.policies = policyCalls(calls)
    this.mappings = mappingCalls(calls)
    this.score = scoreCalls(calls)
    this.events = eventCalls(calls, settings.credentials.apiKey)
    this.auth = authCalls(calls)
    this.members = memberCalls(calls)
    this.invitations = invitationCalls(calls)
    this.keys = ownerKeyCalls(calls)
    this.credentials = credentialCalls(calls)
    this.webhooks = webhookCalls(calls)
    this.watches = watchCalls(calls)
    this.testData = testDataCalls(calls)
    this.operator = operatorCalls(calls)
  }

  /** Another client with some options changed, such as the token of a new session. */
  with(options: Partial<StandingOptions>): Standing {
    // A key of the environment goes to the address of the environment alone.
    const own = options.baseUrl === undefined ? this.#options : this.#given
    return new Standing({ ...own, ...options })
  }
}
