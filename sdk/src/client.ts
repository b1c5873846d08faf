import { createCalls } from './calls.ts'
import { credentialsOf } from './credentials.ts'
import { type Agents, agentCalls } from './resources/agents.ts'
import { type Auth, authCalls } from './resources/auth.ts'
import { type Credentials, credentialCalls } from './resources/credentials.ts'
import { type Events, eventCalls } from './resources/events.ts'
import { type Operator, operatorCalls } from './resources/operator.ts'
import { type Scores, scoreCalls } from './resources/scores.ts'
import { type Webhooks, webhookCalls } from './resources/webhooks.ts'
import { createTransport, type StandingOptions } from './transport.ts'

/**
 * A client of the service. Each call takes the credential it needs from what the client was given.
 * A client without it goes with what it has, or anonymously, and the service says what it wants.
 */
export class Standing {
  readonly agents: Agents
  readonly score: Scores
  readonly events: Events
  readonly auth: Auth
  readonly credentials: Credentials
  readonly webhooks: Webhooks
  readonly operator: Operator
  readonly #options: StandingOptions

  constructor(options: StandingOptions) {
    const calls = createCalls(createTransport(options))
    this.#options = options
    this.agents = agentCalls(calls)
    this.score = scoreCalls(calls)
    this.events = eventCalls(calls, credentialsOf(options).apiKey)
    this.auth = authCalls(calls)
    this.credentials = credentialCalls(calls)
    this.webhooks = webhookCalls(calls)
    this.operator = operatorCalls(calls)
  }

  /** Another client with some options changed, such as the token just logged in for. */
  with(options: Partial<StandingOptions>): Standing {
    return new Standing({ ...this.#options, ...options })
  }
}
