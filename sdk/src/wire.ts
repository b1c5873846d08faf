// Generated from openapi.json by npm run sdk:types. Change the service's schemas, not this file.
export interface components {
  schemas: {
    /** Whether platforms disagree about the agent, and how many of those with a vote of their own are for it and against it. */
    readonly Disputed: {
      readonly isDisputed: boolean
      readonly platformsFor: number
      readonly platformsAgainst: number
    }
    readonly EventType:
      | 'task.completed'
      | 'task.failed'
      | 'task.timeout'
      | 'payment.completed'
      | 'payment.failed'
      | 'payment.late'
      | 'payment.disputed'
      | 'uptime.report'
      | 'error.reported'
      | 'credential.issued'
      | 'credential.revoked'
      | 'agent.transferred'
      | 'agent.succeeded'
      | 'agent.limited'
      | 'reports.discarded'
      | 'child.work_failed'
      | 'child.payment_failed'
    readonly Error: {
      readonly error: {
        readonly code:
          | 'VALIDATION_ERROR'
          | 'AUTHENTICATION_REQUIRED'
          | 'FORBIDDEN'
          | 'NOT_FOUND'
          | 'METHOD_NOT_ALLOWED'
          | 'CONFLICT'
          | 'IDEMPOTENCY_IN_PROGRESS'
          | 'PAYLOAD_TOO_LARGE'
          | 'UNSUPPORTED_MEDIA_TYPE'
          | 'IDEMPOTENCY_KEY_REUSED'
          | 'RATE_LIMIT_EXCEEDED'
          | 'INTERNAL_ERROR'
          | 'SERVICE_UNAVAILABLE'
        /** A sentence for people. */
        readonly message: string
        readonly details: {
          /** The id of the request in the log. */
          readonly requestId: string
          /** The page about the code, on this service. */
          readonly docUrl: string
          /** `VALIDATION_ERROR` only: every problem, with its field (`path`), its kind (`code`) and a sentence. */
          readonly issues?:
            | readonly {
                /** A field of the body (`data.amount`, `events.1.type`, `body` for all of it) or, after a prefix, a parameter of the query (`query.limit`) or of the path (`params.id`), or a header (`header.Idempotency-Key`). */
                readonly path: string
                readonly code: string
                readonly message: string
              }[]
            | undefined
        } & {
          readonly [key: string]: unknown
        }
      }
    }
    readonly Session: {
      readonly owner: components['schemas']['Owner']
      /** A JWT to send as `Authorization: Bearer`. */
      readonly token: string
      readonly expiresAt: string
    }
    readonly Owner: {
      readonly id: string
      readonly email: string
      readonly name: string | null
      readonly tier: 'free' | 'growth' | 'platform'
      readonly createdAt: string
    }
    readonly Register: {
      readonly email: string
      readonly password: string
      readonly name?: (string | null) | undefined
      /** The token of an invitation to this e-mail. */
      readonly invitation?: string | undefined
    }
    readonly Login: {
      readonly email: string
      readonly password: string
    }
    readonly Account: components['schemas']['Owner'] & {
      readonly status: 'active' | 'suspended' | 'erased'
      /** What the account may ask for: the limits of its tier, as the settings of this installation apply them. Null is unlimited. */
      readonly limits: {
        readonly requestsPerMinute: number | null
        readonly lookupsPerMonth: number | null
        /** Agents that are not deactivated. */
        readonly agents: number | null
        /** Events of one reporter about one agent. */
        readonly eventsPerAgentHour: number | null
      }
      /** The person who asks; null for an API key. */
      readonly member: components['schemas']['Member'] | null
      /** The API key that asks; null for a person. */
      readonly key: components['schemas']['OwnerKey'] | null
      /** What the caller may do: the scopes, `admin` for members, keys and the account itself, and `session` for the password and the sign-in of a person. */
      readonly permissions: readonly ('read' | 'report' | 'manage' | 'admin' | 'session')[]
    }
    readonly Member: {
      readonly id: string
      readonly email: string
      readonly name: string | null
      readonly role: 'admin' | 'member' | 'viewer'
      /** Whether this person opened the account. The role of that person is `admin`. */
      readonly isOwner: boolean
      readonly emailConfirmed: boolean
      readonly createdAt: string
    }
    readonly OwnerKey: {
      readonly id: string
      readonly name: string
      readonly scopes: readonly ('read' | 'report' | 'manage')[]
      readonly status: 'active' | 'expired' | 'revoked'
      /** The member who created it. */
      readonly createdBy: string
      readonly createdAt: string
      readonly expiresAt: string | null
      readonly revokedAt: string | null
      /** At most a minute late; null while it was never used. */
      readonly lastUsedAt: string | null
    }
    readonly ChangePassword: {
      readonly currentPassword: string
      readonly newPassword: string
    }
    readonly ResetPassword: {
      readonly token: string
      readonly newPassword: string
    }
    readonly AuthOptions: {
      /**
       * Who may open an account: anyone, only people whom the operator invited, or no one.
       */
      readonly registration: 'open' | 'invite' | 'closed'
      /** Whether the service sends mail, so that a forgotten password can be reset by it. */
      readonly mail: boolean
      /** The OpenID Connect provider; null for none. */
      readonly oidc: {
        readonly name: string
        /** Where a browser begins. It comes back with `#oidc=CODE`. */
        readonly startUrl: string
      } | null
    }
    readonly ActiveSession: {
      /** The `jti` of the token. */
      readonly id: string
      /** Whether the token of this request is the one of the session. */
      readonly isCurrent: boolean
      /** When the person signed in. */
      readonly createdAt: string
      /** At most a minute late. */
      readonly lastUsedAt: string
      readonly expiresAt: string
    }
    readonly UpdateMember: {
      readonly role: 'admin' | 'member' | 'viewer'
    }
    readonly InvitationWithLink: {
      readonly id: string
      readonly email: string
      /**
       * The role in the account; null for an invitation to open an account.
       */
      readonly role: 'admin' | 'member' | 'viewer' | null
      readonly status: 'open' | 'expired'
      readonly createdAt: string
      readonly expiresAt: string
      /** Where the invitation is accepted; null where the service sent it by mail. Returned only here. */
      readonly link: string | null
    }
    readonly InviteMember: {
      readonly email: string
      readonly role?: ('admin' | 'member' | 'viewer') | undefined
    }
    readonly Invitation: {
      readonly id: string
      readonly email: string
      /**
       * The role in the account; null for an invitation to open an account.
       */
      readonly role: 'admin' | 'member' | 'viewer' | null
      readonly status: 'open' | 'expired'
      readonly createdAt: string
      readonly expiresAt: string
    }
    readonly OwnerKeyWithSecret: components['schemas']['OwnerKey'] & {
      /** Returned only here: the service stores a hash of it. */
      readonly apiKey: string
    }
    readonly CreateOwnerKey: {
      readonly name: string
      /** What the key may do: `read` reads, `report` appeals reviews, `manage` changes agents, credentials and webhooks. No scope includes another. */
      readonly scopes: readonly ('read' | 'report' | 'manage')[]
      /** When the key stops working. Without it, the key works until it is revoked. */
      readonly expiresAt?: (string | null) | undefined
    }
    readonly Erasure: {
      /** The id of the owner or of the agent. */
      readonly subjectId: string
      readonly kind: 'owner' | 'agent'
      /**
       * `running` while events, notifications and audit entries are erased. What others may read is gone when the response is sent.
       */
      readonly status: 'running' | 'done'
      readonly createdAt: string
      readonly finishedAt: string | null
    }
    readonly AgentWithKey: components['schemas']['Agent'] & {
      /** Returned only here: the service stores a hash of it. */
      readonly apiKey: string
    }
    readonly ApiKeyRecord: {
      readonly createdAt: string
      /** At most a minute late; null while the key was not used. */
      readonly lastUsedAt: string | null
      /** When the key stops working, or has stopped. Null for a key without an end. */
      readonly expiresAt: string | null
    }
    readonly Agent: {
      readonly id: string
      readonly displayName: string
      readonly status: 'active' | 'suspended' | 'deactivated'
      /** The agent that it acts for; null for an agent that acts for its owner alone. */
      readonly parentId: string | null
      readonly createdAt: string
      readonly ownerId: string
      readonly metadata: {
        readonly [key: string]: unknown
      }
      /** Whether anyone may see the profile of the agent. Off for a new agent. */
      readonly publicProfile: boolean
      /** The agent that it replaced; null for an agent that began without a past. */
      readonly predecessorId: string | null
      /** The agent that replaced it. */
      readonly successorId: string | null
      /**
       * Whether it is live or test data. The two never meet.
       */
      readonly mode: 'live' | 'test'
      /** When one of `apiKeys` was last used, at most a minute late; null while none of them was used. */
      readonly keyLastUsedAt: string | null
      /** Its API keys, the newest first: those that work, and for about a day those that have ended. The keys of a former owner are not among them. */
      readonly apiKeys: readonly components['schemas']['ApiKeyRecord'][]
      readonly updatedAt: string
    }
    readonly RegisterAgent: {
      readonly displayName: string
      readonly metadata?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
      /** An active agent of the account that the new agent acts for. The new agent never scores higher than that one, and what platforms find bad of it counts for that one as well. */
      readonly parentId?: (string | null) | undefined
    }
    readonly PublicAgent: {
      readonly id: string
      readonly displayName: string
      readonly status: 'active' | 'suspended' | 'deactivated'
      /** The agent that it acts for; null for an agent that acts for its owner alone. */
      readonly parentId: string | null
      readonly createdAt: string
    }
    readonly UpdateAgent: {
      readonly displayName?: string | undefined
      readonly metadata?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
      /** Whether anyone may see the profile of the agent. Off for a new agent. */
      readonly publicProfile?: boolean | undefined
    }
    readonly RegisterSuccessor: {
      readonly displayName?: string | undefined
      readonly metadata?:
        | {
            readonly [key: string]: unknown
          }
        | undefined
    }
    readonly RotatedKey: {
      /** Returned only here: the service stores a hash of it. */
      readonly apiKey: string
      /** The previous key keeps working until then. */
      readonly previousKeyExpiresAt: string
    }
    readonly RotateKey: {
      /** How long the previous key keeps working. Defaults to 3600 (one hour). */
      readonly overlapSeconds?: number | undefined
    }
    readonly Transfer: {
      readonly id: string
      readonly agentId: string
      /** The display name of the agent, which the other owner cannot read otherwise. */
      readonly agentName: string
      readonly fromOwnerId: string
      /** The name of the account that made the offer, where it has one. */
      readonly fromOwnerName: string | null
      /** Null while an offer to an e-mail is not accepted. */
      readonly toOwnerId: string | null
      /** The e-mail that the agent is offered to; removed when the offer ends. */
      readonly toOwnerEmail: string | null
      readonly status: 'pending' | 'accepted' | 'declined' | 'withdrawn' | 'expired'
      readonly createdAt: string
      readonly expiresAt: string
      readonly endedAt: string | null
    }
    readonly OfferAgent: {
      readonly toOwnerId?: string | undefined
      readonly toOwnerEmail?: string | undefined
    }
    readonly AcceptedTransfer: {
      readonly transfer: components['schemas']['Transfer']
      readonly agent: components['schemas']['Agent']
      /** The only key of the agent from now on. Returned only here. */
      readonly apiKey: string
    }
    readonly Identifier: {
      readonly id: string
      readonly agentId: string
      readonly type:
        | 'did'
        | 'domain'
        | 'a2a_card'
        | 'mcp_server'
        | 'web_bot_auth'
        | 'caip10'
        | 'erc8004'
        | 'oauth_client'
        | 'spiffe'
      /** In its one canonical spelling. */
      readonly value: string
      /**
       * A claim proves nothing. A verified identifier belongs to this agent alone.
       */
      readonly status: 'claimed' | 'verified'
      /** What to publish or to sign; null for others than the agent and its owner. */
      readonly challenge: string | null
      /** Each way in which the challenge proves the name; one of them is enough. Empty for a name that cannot be proven here. */
      readonly ways: readonly components['schemas']['IdentifierProofWay'][]
      /** How it was proven last. */
      readonly proof: {
        readonly method: 'well_known' | 'dns' | 'signature'
        /** The thumbprint (RFC 7638) or address of the key that signed. */
        readonly keyId: string | null
      } | null
      /** Why the last check failed; null when it did not. */
      readonly problem: {
        readonly code:
          | 'challenge_missing'
          | 'signature_required'
          | 'signature_invalid'
          | 'key_not_found'
          | 'wrong_subject'
          | 'not_provable'
          | 'address_not_allowed'
          | 'unreachable'
          | 'timeout'
          | 'too_large'
          | 'redirected'
          | 'not_found'
          | 'malformed'
          | 'agent_transferred'
        readonly message: string
      } | null
      readonly createdAt: string
      readonly verifiedAt: string | null
      /** When its proof was checked last. */
      readonly checkedAt: string | null
    }
    readonly IdentifierProofWay: {
      readonly method: 'well_known' | 'dns' | 'signature'
      /** The URL, the name of the TXT record, or who signs. */
      readonly location: string
    }
    readonly ClaimIdentifier: {
      /**
       * The kind of name.
       */
      readonly type:
        | 'did'
        | 'domain'
        | 'a2a_card'
        | 'mcp_server'
        | 'web_bot_auth'
        | 'caip10'
        | 'erc8004'
        | 'oauth_client'
        | 'spiffe'
      /** The name, in any of its usual spellings. */
      readonly value: string
    }
    readonly VerifyIdentifier: {
      /** A signature of the challenge: a compact JWS with the challenge as its payload, the bare signature in base64url or base64, or `0x…` of EIP-191. Leave it out where the challenge is published. */
      readonly signature?: string | undefined
    }
    readonly Lookup: {
      /** As it was asked. */
      readonly identifier: string
      /**
       * `claimed`: an agent says that the name is its own, but has not proven it. Only a verified identifier leads to an agent.
       */
      readonly match: 'verified' | 'claimed' | 'unknown'
      readonly agent: components['schemas']['PublicAgent'] | null
      readonly score: components['schemas']['Score'] | null
    }
    readonly Score: {
      readonly agentId: string
      readonly score: number
      readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
      readonly confidence: 'low' | 'medium' | 'high'
      /** Events accepted and not quarantined. */
      readonly eventCount: number
      readonly breakdown: components['schemas']['Breakdown']
      readonly disputed: components['schemas']['Disputed']
      /** US dollars that may be at risk in one deal, from the payments that the agent has made well and its score. Null when no platform with a vote of its own has reported the amount of a good payment. */
      readonly exposureLimit: number | null
      /** The range of the score that the evidence allows. */
      readonly interval: {
        readonly low: number
        readonly high: number
      }
      readonly forecast: components['schemas']['Forecast']
      /** The number of events by who reported them. Those that the service itself recorded (a change of hands, a ceiling, a discard of reports) are in `eventCount` only. */
      readonly evidence: {
        readonly platformReported: number
        readonly selfReported: number
        readonly quarantined: number
      }
      readonly status: 'active' | 'suspended' | 'deactivated'
      /** The version of the scoring model. Another version may score the same events differently. */
      readonly modelVersion: string
      readonly computedAt: string
      /** Only with `at`: when a review last changed the events behind this score; null when none did. */
      readonly correctedAt?: (string | null) | undefined
      readonly taskClass?: components['schemas']['ClassScore'] | undefined
    }
    readonly Breakdown: {
      readonly reliability: components['schemas']['DimensionScore']
      readonly financial: components['schemas']['DimensionScore']
      readonly identity: components['schemas']['DimensionScore']
    }
    readonly DimensionScore: {
      /** How far the agent is trusted in this dimension. The three scores, each times its `weight`, add up to the score within a point. If there are events about work but none about payments, or the reverse, the dimension without events has the score of the other. */
      readonly score: number
      /** The nominal weight of the dimension. */
      readonly weight: number
      /** The weight of the dimension in this score. Of work and payments, one without events leaves its weight to the other. */
      readonly effectiveWeight: number
      readonly eventCount: number
    }
    readonly Forecast: {
      /** Probability that the next task succeeds; without task reports, that the next uptime or error report is a good one. Null when no platform has reported either. */
      readonly task: {
        /** Probability that the next one goes well. */
        readonly probability: number
        /** The true rate lies between `low` and `high` with 90 % probability. */
        readonly low: number
        readonly high: number
      } | null
      /** Probability that the next payment is made on time. Null when no payment was reported. */
      readonly payment: {
        /** Probability that the next one goes well. */
        readonly probability: number
        /** The true rate lies between `low` and `high` with 90 % probability. */
        readonly low: number
        readonly high: number
      } | null
    }
    /** Only with `taskClass`: the score with every report of that class counted five times. Where little is known of the class it is near the score. */
    readonly ClassScore: {
      readonly name: string
      /** False when no platform with a vote of its own has reported the class: all figures are then those of the whole. */
      readonly isKnown: boolean
      /** Reports of the class by platforms with a vote of their own. */
      readonly eventCount: number
      /** How many platforms made these reports. */
      readonly platforms: number
      readonly score: number
      readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
      readonly confidence: 'low' | 'medium' | 'high'
      readonly interval: {
        readonly low: number
        readonly high: number
      }
      readonly disputed: components['schemas']['Disputed']
      /** The score of the class less the score. */
      readonly difference: number
      /** Probability that the next task of the class succeeds. Null when no platform has reported a task, uptime or an error. */
      readonly forecast: {
        /** Probability that the next one goes well. */
        readonly probability: number
        /** The true rate lies between `low` and `high` with 90 % probability. */
        readonly low: number
        readonly high: number
      } | null
    }
    readonly LookupBatchAnswer: {
      readonly data: readonly components['schemas']['Lookup'][]
    }
    readonly Decision: {
      readonly decision: 'allow' | 'review' | 'deny'
      /** What led to this decision, for a person to read. */
      readonly reasons: readonly {
        readonly code:
          | 'meets_policy'
          | 'own_experience_good'
          | 'agent_unknown'
          | 'agent_suspended'
          | 'agent_deactivated'
          | 'score_too_low'
          | 'confidence_too_low'
          | 'disputed'
          | 'exposure_unknown'
          | 'above_exposure_limit'
          | 'above_max_exposure'
          | 'own_experience_mixed'
          | 'own_experience_bad'
        readonly message: string
      }[]
      readonly agent: components['schemas']['PublicAgent'] | null
      readonly score: number | null
      readonly confidence: ('low' | 'medium' | 'high') | null
      /** The range of the score that the evidence allows. */
      readonly interval: {
        readonly low: number
        readonly high: number
      } | null
      readonly disputed: components['schemas']['Disputed'] | null
      /** US dollars that may be at risk in one deal, from the payments that the agent has made well and its score. Null when no platform with a vote of its own has reported the amount of a good payment. */
      readonly exposureLimit: number | null
      /** What the asking platform has itself reported: its latest 200 reports about the agent, or what its vote keeps of them where thousands of others came since. Null for other callers. */
      readonly ownExperience: {
        readonly good: number
        readonly bad: number
        readonly lastReportAt: string | null
      } | null
      readonly policy: components['schemas']['AppliedPolicy']
      /** Ask again after this. */
      readonly expiresAt: string
    }
    readonly AppliedPolicy: {
      readonly name: string | null
      readonly minScore: number
      readonly minConfidence: 'low' | 'medium' | 'high'
      readonly unknown: 'allow' | 'review' | 'deny'
      readonly disputed: 'allow' | 'review' | 'deny'
      readonly maxExposure: number | null
    }
    readonly DecisionRequest: {
      /** The agent, by its id here. */
      readonly agentId?: string | undefined
      /** Or by a name under which it is known elsewhere. */
      readonly identifier?: string | undefined
      /** The action to decide on. If `policy` is not given, the stored policy of this name is used. */
      readonly action?: string | undefined
      /** What is at risk. */
      readonly amount?: number | undefined
      /** The currency of the amount; US dollars by default. */
      readonly currency?: string | undefined
      /** The name of a stored policy, or a policy. */
      readonly policy?: (string | components['schemas']['PolicyInput']) | undefined
    }
    readonly PolicyInput: {
      /** Agents below this score are denied. */
      readonly minScore?: number | undefined
      /**
       * Agents with less confidence are reviewed.
       */
      readonly minConfidence?: ('low' | 'medium' | 'high') | undefined
      /**
       * For a name that leads to no agent. `allow` contradicts a `minScore` above 100, which is what a new agent scores, and a `minConfidence` above `low`.
       */
      readonly unknown?: ('allow' | 'review' | 'deny') | undefined
      /**
       * For an agent about which platforms disagree.
       */
      readonly disputed?: ('allow' | 'review' | 'deny') | undefined
      /** The most US dollars that may be at risk in one deal with any agent; more is denied. Null for no limit besides the agent’s own `exposureLimit`. */
      readonly maxExposure?: (number | null) | undefined
    }
    readonly PastDecision: {
      readonly id: string
      readonly createdAt: string
      /**
       * How it was asked for: `api` is `POST /v1/decisions`, also by a tool of MCP; `authzen` an evaluation; `gate` the gate of a proxy.
       */
      readonly via: 'api' | 'authzen' | 'gate'
      readonly agent: components['schemas']['PublicAgent'] | null
      /** The id or name that was asked about, where it led to no agent. */
      readonly identifier: string | null
      readonly action: string | null
      readonly decision: 'allow' | 'review' | 'deny'
      /** What led to this decision. */
      readonly reasons: readonly {
        readonly code: string
        readonly message: string
      }[]
      /** As it was then. */
      readonly score: number | null
      /** The name of the stored policy; null for one that was not stored. */
      readonly policy: string | null
    }
    readonly Policy: {
      readonly name: string
      readonly minScore: number
      readonly minConfidence: 'low' | 'medium' | 'high'
      readonly unknown: 'allow' | 'review' | 'deny'
      readonly disputed: 'allow' | 'review' | 'deny'
      readonly maxExposure: number | null
      readonly createdAt: string
      readonly updatedAt: string
    }
    readonly BacktestResult: {
      readonly policy: components['schemas']['AppliedPolicy']
      readonly from: string
      readonly to: string
      /** Tasks and payments that the platform reported in this time. */
      readonly deals: number
      /** Whether there were more deals than are tested: the newest are. */
      readonly isTruncated: boolean
      readonly allow: components['schemas']['BacktestOutcome']
      readonly review: components['schemas']['BacktestOutcome']
      readonly deny: components['schemas']['BacktestOutcome']
      /** How often each reason decided. */
      readonly reasons: {
        readonly [key: string]: number
      }
      /** US dollars lost with each deal that the policy allows; 0 where it allows none. */
      readonly expectedLoss: number
      /** US dollars lost with each deal, had all been made; 0 where there are none. */
      readonly expectedLossWithout: number
      /** The same policy with other minimum scores: how many deals it allows, their loss, and how many good deals it does not allow. */
      readonly tradeOff: readonly {
        readonly minScore: number
        readonly allowed: number
        readonly loss: number
        readonly goodNotAllowed: number
      }[]
    }
    readonly BacktestOutcome: {
      readonly deals: number
      readonly good: number
      readonly bad: number
      /** US dollars of all payments. */
      readonly amount: number
      /** US dollars of payments that failed or were disputed. */
      readonly loss: number
    }
    readonly Backtest: {
      /** Earliest time to include (RFC 3339). */
      readonly from: string
      /** Latest time to include, at most 366 days later. */
      readonly to: string
      readonly policy?: components['schemas']['PolicyInput'] | undefined
    }
    readonly Snapshot: {
      readonly id: string
      readonly agentId: string
      readonly score: number
      readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
      readonly confidence: 'low' | 'medium' | 'high'
      /** Events accepted and not quarantined. */
      readonly eventCount: number
      readonly breakdown: components['schemas']['Breakdown']
      readonly disputed: components['schemas']['Disputed']
      /** US dollars that may be at risk in one deal, from the payments that the agent has made well and its score. Null when no platform with a vote of its own has reported the amount of a good payment. */
      readonly exposureLimit: number | null
      /** What caused the snapshot: an event, or a new scoring model (with the last event that counted before it). A review corrects the snapshots of the events, and sets `correctedAt`. */
      readonly trigger: {
        readonly kind: 'event' | 'model'
        readonly id: string
        readonly type: components['schemas']['EventType']
      }
      /** The version of the scoring model. Another version may score the same events differently. */
      readonly modelVersion: string
      readonly createdAt: string
      /** When a review last changed the events behind this score; null when none did. */
      readonly correctedAt: string | null
    }
    readonly ScoreSeries: {
      readonly data: readonly {
        readonly at: string
        readonly score: number
        readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
        readonly confidence: 'low' | 'medium' | 'high'
        readonly interval: {
          readonly low: number
          readonly high: number
        }
        readonly isDisputed: boolean
      }[]
    }
    readonly ScoreBatchAnswer: {
      readonly data: readonly components['schemas']['Score'][]
      readonly notFound: readonly string[]
    }
    readonly Classifications: {
      readonly data: readonly {
        readonly label: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
        readonly name: string
        readonly min: number
        readonly max: number
        readonly meaning: string
      }[]
    }
    readonly ScoreExplanation: {
      readonly agentId: string
      readonly score: number
      readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
      readonly confidence: 'low' | 'medium' | 'high'
      readonly disputed: components['schemas']['Disputed']
      /** US dollars that may be at risk in one deal, from the payments that the agent has made well and its score. Null when no platform with a vote of its own has reported the amount of a good payment. */
      readonly exposureLimit: number | null
      readonly status: 'active' | 'suspended' | 'deactivated'
      /** `start`, `time`, `correction` and the dimensions add up to the score exactly. So do the first three and the types, and the first three and the reporters. */
      readonly contributions: {
        /** The effect of time: decay and tenure. */
        readonly time: number
        /** The difference between the published score and the events scored by the current model; usually 0. */
        readonly correction: number
        readonly dimensions: readonly {
          readonly dimension: 'reliability' | 'financial' | 'identity'
          readonly events: number
          readonly points: number
        }[]
        readonly types: readonly {
          readonly type: components['schemas']['EventType']
          readonly events: number
          readonly points: number
        }[]
        /** Only for the agent itself, its owner and the operator. */
        readonly reporters?:
          | readonly {
              /** Null in the entry that sums up all reporters that are not listed. */
              readonly reporter: {
                readonly kind: 'agent' | 'platform' | 'owner' | 'system'
                readonly id: string
              } | null
              readonly events: number
              readonly points: number
            }[]
          | undefined
        /** The score before any event. */
        readonly start: number
      }
      /** What lowers and limits comes first. A limit such as `young`, `former_agent` or `has_parent` is listed while it takes at least a point from the score. */
      readonly reasons: readonly {
        readonly code:
          | 'no_events'
          | 'recent_failures'
          | 'task_failures'
          | 'payment_failures'
          | 'credential_revoked'
          | 'quarantined_events'
          | 'former_agent'
          | 'new_owner'
          | 'succeeded'
          | 'has_parent'
          | 'child_failures'
          | 'disputed'
          | 'few_events'
          | 'self_reported_only'
          | 'single_reporter'
          | 'young'
          | 'inactive'
          | 'no_tasks'
          | 'no_payments'
          | 'unverified_identity'
          | 'good_work'
          | 'good_payments'
          | 'verified_identity'
          | 'several_reporters'
          | 'long_record'
        readonly effect: 'lowers' | 'raises' | 'limits'
        readonly sentence: string
      }[]
      /** How the next better tier can be reached; null in the best one. */
      readonly nextTier: {
        readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
        /** The lowest score of the tier. */
        readonly min: number
        readonly pointsMissing: number
        /** The shortest first; empty when none takes less than half a year. */
        readonly ways: readonly {
          readonly type: components['schemas']['EventType']
          /** Null when all of them happen now. */
          readonly perDay: number | null
          /** How many events of this type it takes. */
          readonly events: number
          readonly days: number
        }[]
      } | null
      /** How much the agent can fail and keep its tier; null in the worst one. */
      readonly errorBudget: {
        readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
        /** By how much the score may fall within the tier. */
        readonly pointsLeft: number
        readonly failures: readonly {
          readonly type: components['schemas']['EventType']
          /** How many of them cost no tier; null when that is more than were tried. */
          readonly events: number | null
        }[]
      } | null
      /** The score after so many more events of a type that a platform reports now: those of `more`, otherwise some usual ones. */
      readonly after: readonly {
        readonly type: components['schemas']['EventType']
        readonly count: number
        readonly score: number
        readonly difference: number
      }[]
      /** The most influential first. Only for the agent itself, its owner and the operator. */
      readonly events?:
        | {
            readonly up: readonly {
              readonly id: string
              readonly type: components['schemas']['EventType']
              readonly points: number
              readonly createdAt: string
            }[]
            readonly down: readonly {
              readonly id: string
              readonly type: components['schemas']['EventType']
              readonly points: number
              readonly createdAt: string
            }[]
          }
        | undefined
      /** Only with `since`: why the score changed after this snapshot. */
      readonly since?:
        | {
            readonly snapshot: {
              readonly id: string
              readonly score: number
              readonly createdAt: string
            }
            readonly difference: number
            /** `time`, `correction` and the dimensions add up to the difference exactly. */
            readonly contributions: {
              /** The effect of time: decay and tenure. */
              readonly time: number
              /** The difference between the published score and the events scored by the current model; usually 0. */
              readonly correction: number
              readonly dimensions: readonly {
                readonly dimension: 'reliability' | 'financial' | 'identity'
                readonly events: number
                readonly points: number
              }[]
              readonly types: readonly {
                readonly type: components['schemas']['EventType']
                readonly events: number
                readonly points: number
              }[]
              /** Only for the agent itself, its owner and the operator. */
              readonly reporters?:
                | readonly {
                    /** Null in the entry that sums up all reporters that are not listed. */
                    readonly reporter: {
                      readonly kind: 'agent' | 'platform' | 'owner' | 'system'
                      readonly id: string
                    } | null
                    readonly events: number
                    readonly points: number
                  }[]
                | undefined
            }
            /** The most influential first. Only for the agent itself, its owner and the operator. */
            readonly events?:
              | {
                  readonly up: readonly {
                    readonly id: string
                    readonly type: components['schemas']['EventType']
                    readonly points: number
                    readonly createdAt: string
                  }[]
                  readonly down: readonly {
                    readonly id: string
                    readonly type: components['schemas']['EventType']
                    readonly points: number
                    readonly createdAt: string
                  }[]
                }
              | undefined
          }
        | undefined
      /** Only with `without`: the score without this event. */
      readonly without?:
        | {
            readonly eventId: string
            /** Whether the event counts; otherwise the score is the same. */
            readonly counts: boolean
            readonly score: number
            readonly difference: number
          }
        | undefined
      readonly taskClass?: components['schemas']['ClassScore'] | undefined
      /** The version of the scoring model. Another version may score the same events differently. */
      readonly modelVersion: string
      readonly computedAt: string
    }
    readonly PublicProfile: {
      readonly agent: components['schemas']['PublicAgent']
      readonly score: components['schemas']['Score']
      /** The last 90 days (UTC), oldest first. */
      readonly days: readonly {
        readonly day: string
        /** Events with a positive impact. */
        readonly good: number
        /** Events with a negative impact. */
        readonly bad: number
        /** False for a day whose events were not counted, in the history of a busy agent. */
        readonly isKnown: boolean
      }[]
      /** The newest credentials in force, 20 at most. */
      readonly credentials: readonly {
        readonly id: string
        readonly type: string
        readonly assertedBy: 'owner' | 'service'
        readonly issuedAt: string
        readonly expiresAt: string | null
      }[]
      readonly owner: {
        readonly name: string | null
        readonly registeredAt: string
        /** Agents of the owner that are not deactivated. */
        readonly agents: number
      }
    }
    readonly Receipt: {
      /** A compact JWS of type `standing-receipt+jwt`. */
      readonly receipt: string
      readonly payload: components['schemas']['ReceiptPayload']
    }
    /** The payload of the JWS, decoded. */
    readonly ReceiptPayload: {
      /** The address of the service. */
      readonly iss: string
      readonly sub: string
      /** Seconds since 1970-01-01T00:00:00Z. */
      readonly iat: number
      /** The time of the score, in milliseconds since 1970-01-01T00:00:00Z. */
      readonly at: number
      readonly score: {
        readonly score: number
        readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
        readonly confidence: 'low' | 'medium' | 'high'
        /** Events accepted and not quarantined. */
        readonly eventCount: number
        readonly breakdown: components['schemas']['Breakdown']
        readonly disputed: components['schemas']['Disputed']
        /** US dollars that may be at risk in one deal, from the payments that the agent has made well and its score. Null when no platform with a vote of its own has reported the amount of a good payment. */
        readonly exposureLimit: number | null
        /** The range of the score that the evidence allows. */
        readonly interval: {
          readonly low: number
          readonly high: number
        }
        readonly evidence: {
          readonly platformReported: number
          readonly selfReported: number
        }
        /** The version of the scoring model. Another version may score the same events differently. */
        readonly modelVersion: string
      }
      /** How many events are behind the score. */
      readonly events: number
      /** How many of the events behind the score were imported as a past. */
      readonly imported: number
      /** The last hash of the chain of counted events. */
      readonly chain: string
      /** SHA-256 in base64url of the evidence that the score is computed from. */
      readonly evidence: string
      readonly model: {
        /** The version of the scoring model. Another version may score the same events differently. */
        readonly version: string
        /** SHA-256 in base64url. */
        readonly hash: string
      }
      readonly registration: {
        readonly agentId: string
        /** Milliseconds since 1970-01-01T00:00:00Z. */
        readonly registeredAt: number
        /** The highest score with which the agent could start. */
        readonly initialCeiling: number
      }
    }
    readonly ReceiptKeySet: {
      readonly keys: readonly {
        readonly kty: 'OKP'
        readonly crv: 'Ed25519'
        readonly x: string
        /** The DID of the service and the thumbprint of the key (RFC 7638). */
        readonly kid: string
        readonly use: 'sig'
        readonly alg: 'EdDSA'
      }[]
    }
    readonly Event: {
      readonly id: string
      readonly agentId: string
      readonly type: components['schemas']['EventType']
      readonly dimension: 'reliability' | 'financial' | 'identity'
      /**
       * `neutral` only of `reports.discarded`, which may raise or lower a score.
       */
      readonly impact: 'positive' | 'negative' | 'neutral'
      readonly data:
        | components['schemas']['TaskData']
        | components['schemas']['PaymentData']
        | components['schemas']['UptimeData']
        | components['schemas']['ErrorData']
        | components['schemas']['CredentialData']
        | components['schemas']['HandoverData']
        | components['schemas']['ChildData']
      readonly occurredAt: string
      readonly createdAt: string
      readonly isSelfReported: boolean
      readonly reporter: {
        readonly kind: 'agent' | 'platform' | 'owner' | 'system'
        readonly id: string
      }
      /** The reporter's own id of the event: a report with the same id and content counts once. */
      readonly externalId: string | null
      /** Whether the operator imported it with a past. It then counts from `createdAt` on. */
      readonly imported: boolean
      /** The weight of its reporter: 1 for a platform, 0.1 for the agent and its owner. */
      readonly weight: number
      /** How much of that weight the event had: 1 as a rule, less after reviews upheld the quarantine of many reports of the platform, for a credential that adds little to those known before, and for the nth event of a day with the same figures (1/n). */
      readonly share: number
      /** How established the reporter was when the event was received: 1 established, 0.5 provisional, 0.1 otherwise and for self-reports. A reporter below 0.5 has no vote of its own. */
      readonly reporterWeight: number
      /** How much harder than usual such work was when the event was received, as a logarithm of odds, learnt from the outcomes of tasks with the same `taskClass` and `difficulty`. 0 when unknown. */
      readonly hardness: number
      /** The ids of the fraud rules it triggered. */
      readonly fraudFlags: readonly string[]
      readonly isQuarantined: boolean
      readonly quarantineReason: string | null
      readonly attestationVerified: boolean
      readonly review: components['schemas']['Review']
    }
    readonly TaskData: {
      /** Milliseconds. */
      readonly duration?: number | undefined
      readonly success?: boolean | undefined
      readonly errorCode?: string | undefined
      /**
       * 1 easy, 2 medium, 3 hard. What it counts for is learnt from outcomes.
       */
      readonly difficulty?: (1 | 2 | 3) | undefined
      /** The reporter's name for this kind of work, such as `translation`. */
      readonly taskClass?: string | undefined
      /** The other party, such as the customer, by the reporter's name for it. Each counterparty of a platform counts for what it said last: for two good events or a bad one at most. Stored and returned as a keyed hash only. */
      readonly counterparty?: string | undefined
    }
    readonly PaymentData: {
      /** In units of the currency, not in cents: 120.5 is 120 dollars and 50 cents. */
      readonly amount?: number | undefined
      /** ISO 4217 code. Defaults to USD. */
      readonly currency?: string | undefined
      /** How many days late the payment was (`payment.late`). */
      readonly daysLate?: number | undefined
      /** The other party, such as the customer, by the reporter's name for it. Each counterparty of a platform counts for what it said last: for two good events or a bad one at most. Stored and returned as a keyed hash only. */
      readonly counterparty?: string | undefined
    }
    readonly UptimeData: {
      readonly uptimePercentage?: number | undefined
      readonly responseTimeMs?: number | undefined
    }
    readonly ErrorData: {
      readonly errorType?: string | undefined
      /**
       * Defaults to `medium`.
       */
      readonly severity?: ('low' | 'medium' | 'high' | 'critical') | undefined
    }
    readonly CredentialData: {
      readonly credentialId?: string | undefined
      readonly credentialType?: string | undefined
    }
    readonly HandoverData: {
      readonly transferId?: string | undefined
      readonly predecessorId?: string | undefined
      readonly parentId?: string | undefined
      readonly ceiling?: number | undefined
      readonly platformId?: string | undefined
    }
    readonly ChildData: {
      readonly childId: string
      readonly childEventId: string
      readonly childEventType?: components['schemas']['EventType'] | undefined
      readonly observation: number
      readonly amount?: number | undefined
      readonly currency?: string | undefined
      readonly counterparty?: string | undefined
    }
    /** The review of a quarantined event; null for others. */
    readonly Review: {
      readonly status: 'pending' | 'appealed' | 'released' | 'upheld'
      readonly decisions: readonly {
        readonly decision: 'released' | 'upheld'
        readonly reason: string
        readonly decidedAt: string
      }[]
      /** The appeal of the agent's owner; null without one. */
      readonly appeal: {
        readonly statement: string
        readonly createdAt: string
      } | null
    } | null
    readonly EventInput:
      | components['schemas']['TaskEventInput']
      | components['schemas']['PaymentEventInput']
      | components['schemas']['UptimeEventInput']
      | components['schemas']['ErrorEventInput']
      | components['schemas']['CredentialEventInput']
    readonly TaskEventInput: {
      /**
       * discriminator enum property added by openapi-typescript
       */
      readonly type: 'task.completed' | 'task.failed' | 'task.timeout'
      readonly data?: components['schemas']['TaskData'] | undefined
      /** When it happened: at most 30 days back, unless the operator sets another number, and 5 minutes ahead. Defaults to the time of receipt. */
      readonly occurredAt?: string | undefined
      /** The reporter's own id of the event: a report with the same id and content counts once. */
      readonly externalId?: (string | null) | undefined
    }
    readonly PaymentEventInput: {
      /**
       * discriminator enum property added by openapi-typescript
       */
      readonly type: 'payment.completed' | 'payment.failed' | 'payment.late' | 'payment.disputed'
      readonly data?: components['schemas']['PaymentData'] | undefined
      /** When it happened: at most 30 days back, unless the operator sets another number, and 5 minutes ahead. Defaults to the time of receipt. */
      readonly occurredAt?: string | undefined
      /** The reporter's own id of the event: a report with the same id and content counts once. */
      readonly externalId?: (string | null) | undefined
    }
    readonly UptimeEventInput: {
      /**
       * discriminator enum property added by openapi-typescript
       */
      readonly type: 'uptime.report'
      readonly data?: components['schemas']['UptimeData'] | undefined
      /** When it happened: at most 30 days back, unless the operator sets another number, and 5 minutes ahead. Defaults to the time of receipt. */
      readonly occurredAt?: string | undefined
      /** The reporter's own id of the event: a report with the same id and content counts once. */
      readonly externalId?: (string | null) | undefined
    }
    readonly ErrorEventInput: {
      /**
       * discriminator enum property added by openapi-typescript
       */
      readonly type: 'error.reported'
      readonly data?: components['schemas']['ErrorData'] | undefined
      /** When it happened: at most 30 days back, unless the operator sets another number, and 5 minutes ahead. Defaults to the time of receipt. */
      readonly occurredAt?: string | undefined
      /** The reporter's own id of the event: a report with the same id and content counts once. */
      readonly externalId?: (string | null) | undefined
    }
    readonly CredentialEventInput: {
      /**
       * discriminator enum property added by openapi-typescript
       */
      readonly type: 'credential.issued' | 'credential.revoked'
      readonly data?: components['schemas']['CredentialData'] | undefined
      /** When it happened: at most 30 days back, unless the operator sets another number, and 5 minutes ahead. Defaults to the time of receipt. */
      readonly occurredAt?: string | undefined
      /** The reporter's own id of the event: a report with the same id and content counts once. */
      readonly externalId?: (string | null) | undefined
    }
    readonly EventBatchAnswer: {
      readonly accepted: number
      readonly rejected: number
      readonly errors: readonly {
        /** The index of the event in the batch, from 0. */
        readonly index: number
        readonly code: string
        readonly message: string
        readonly details: {
          readonly [key: string]: unknown
        }
      }[]
      /** The accepted events, in the order given. */
      readonly data: readonly components['schemas']['Event'][]
    }
    readonly Mapping: {
      readonly name: string
      readonly rules: readonly components['schemas']['MappingRule'][]
      readonly sample: components['schemas']['MappingPayload']
      readonly sender: {
        readonly scheme: 'stripe' | 'github' | 'standard_webhooks'
      } | null
      /** Where a sender that signs posts its payloads. */
      readonly path: string
      readonly createdAt: string
      readonly updatedAt: string
    }
    readonly MappingRule: {
      /** All must hold. The first rule whose conditions hold counts. */
      readonly when?:
        | readonly {
            /** A JSON Pointer (RFC 6901). One part may be `*`: every member of a list. */
            readonly path: string
            /** The condition holds if one of these values is found. If none are given, any value will do. */
            readonly in?: readonly (string | number | boolean)[] | undefined
          }[]
        | undefined
      /** Tried in order: the id of an agent, or a name that it has proven. */
      readonly agent?:
        | readonly {
            /** A JSON Pointer (RFC 6901). One part may be `*`: every member of a list. */
            readonly path?: string | undefined
            /** In place of a path. */
            readonly constant?: (string | number | boolean) | undefined
            readonly values?:
              | {
                  readonly [key: string]: string | number | boolean
                }
              | undefined
            /** Whether the value is one that an earlier report of this mapping remembered. */
            readonly remembered?: boolean | undefined
          }[]
        | undefined
      /** Values by which a later payload may name the agent. */
      readonly remember?: readonly string[] | undefined
      /** Must become one of task.completed, task.failed, task.timeout, payment.completed, payment.failed, payment.late, payment.disputed, uptime.report, error.reported, credential.issued, credential.revoked. */
      readonly type?:
        | {
            /** A JSON Pointer (RFC 6901). One part may be `*`: every member of a list. */
            readonly path?: string | undefined
            /** In place of a path. */
            readonly constant?: (string | number | boolean) | undefined
            /** The value to take for the one found. Of several found, the first in the table counts. */
            readonly values?:
              | {
                  readonly [key: string]: string | number | boolean
                }
              | undefined
            /** The value where none is found, or none in the table. */
            readonly otherwise?: (string | number | boolean) | undefined
            readonly upperCase?: boolean | undefined
            /** A number to divide by; it may depend on another value. */
            readonly divideBy?:
              | {
                  /** A JSON Pointer (RFC 6901). One part may be `*`: every member of a list. */
                  readonly path?: string | undefined
                  readonly values?:
                    | {
                        readonly [key: string]: number
                      }
                    | undefined
                  readonly otherwise: number
                }
              | undefined
          }
        | undefined
      /** Defaults to the time of receipt. */
      readonly occurredAt?:
        | {
            /** A JSON Pointer (RFC 6901). One part may be `*`: every member of a list. */
            readonly path: string
            /**
             * `utc`: `2026-06-15 11:00:00.000`, without a zone.
             */
            readonly format: 'rfc3339' | 'unix_seconds' | 'unix_milliseconds' | 'utc'
          }
        | undefined
      /** The values that name the payload at its source: it counts once. */
      readonly externalId?: readonly string[] | undefined
      /** A source for each of duration, success, errorCode, difficulty, taskClass, counterparty, amount, currency, daysLate, uptimePercentage, responseTimeMs, errorType, severity, credentialId, credentialType, as far as the type has it. */
      readonly data?:
        | {
            readonly [key: string]: {
              /** A JSON Pointer (RFC 6901). One part may be `*`: every member of a list. */
              readonly path?: string | undefined
              /** In place of a path. */
              readonly constant?: (string | number | boolean) | undefined
              /** The value to take for the one found. Of several found, the first in the table counts. */
              readonly values?:
                | {
                    readonly [key: string]: string | number | boolean
                  }
                | undefined
              /** The value where none is found, or none in the table. */
              readonly otherwise?: (string | number | boolean) | undefined
              readonly upperCase?: boolean | undefined
              /** A number to divide by; it may depend on another value. */
              readonly divideBy?:
                | {
                    /** A JSON Pointer (RFC 6901). One part may be `*`: every member of a list. */
                    readonly path?: string | undefined
                    readonly values?:
                      | {
                          readonly [key: string]: number
                        }
                      | undefined
                    readonly otherwise: number
                  }
                | undefined
            }
          }
        | undefined
    }
    readonly MappingPayload: {
      readonly [key: string]: unknown
    }
    readonly MappingInput: {
      readonly rules: readonly components['schemas']['MappingRule'][]
      readonly sample: components['schemas']['MappingPayload'] & unknown
      /** How the sender signs, if it cannot send an API key. */
      readonly sender?:
        | ({
            /**
             * `stripe`: `Stripe-Signature`; `github`: `X-Hub-Signature-256`; `standard_webhooks`: `webhook-signature`.
             */
            readonly scheme: 'stripe' | 'github' | 'standard_webhooks'
            /** Write-only. Left out: the secret stored before. For `standard_webhooks`: `whsec_` and 24 to 64 bytes in base64. */
            readonly secret?: string | undefined
          } | null)
        | undefined
    }
    readonly MappingDryRunResult: {
      /**
       * `ignored`: the conditions of no rule hold.
       */
      readonly outcome: 'report' | 'ignored' | 'refused'
      /** The rule that counts. */
      readonly rule: number | null
      readonly agentId: string | null
      /** The report as it would be made. */
      readonly event: {
        readonly [key: string]: unknown
      } | null
      readonly issues: readonly {
        readonly path: string
        readonly code: string
        readonly message: string
      }[]
    }
    readonly MappingDryRun: {
      readonly payload: components['schemas']['MappingPayload']
      /** In place of those of the stored mapping. */
      readonly rules?: readonly components['schemas']['MappingRule'][] | undefined
    }
    readonly MappedAnswer: components['schemas']['EventBatchAnswer'] & {
      /** Payloads for which the conditions of no rule hold. */
      readonly ignored: number
    }
    readonly Credential: {
      readonly id: string
      readonly agentId: string
      /** The id of the owner, or for a score credential the DID of the service. */
      readonly issuerId: string
      /**
       * Who makes the statement: the owner of the agent, or this service.
       */
      readonly assertedBy: 'owner' | 'service'
      readonly type: string
      readonly claims: {
        readonly [key: string]: unknown
      }
      readonly status: 'active' | 'expired' | 'revoked'
      readonly issuedAt: string
      readonly expiresAt: string | null
      readonly revokedAt: string | null
      readonly revocationReason: string | null
      /** The credential as a W3C Verifiable Credential (VC-JOSE-COSE, `vc+jwt`). */
      readonly jwt: string
    }
    readonly IssueCredential: {
      readonly agentId: string
      readonly type: string
      readonly claims: {
        readonly [key: string]: unknown
      }
      /** When it expires; must lie in the future. Defaults to never. */
      readonly expiresAt?: (string | null) | undefined
    }
    readonly IssueScoreCredential: {
      readonly atLeast: 'excellent' | 'good' | 'fair' | 'poor'
      /** When it expires: at most 90 days ahead. Defaults to 30 days ahead. */
      readonly expiresAt?: (string | null) | undefined
    }
    readonly Verification: {
      readonly valid: boolean
      readonly status: 'active' | 'expired' | 'revoked' | 'suspended' | 'invalid'
      /** The claims; null when the token is not proven to be from this service. */
      readonly claims: {
        readonly [key: string]: unknown
      } | null
      readonly checks: {
        /** Signed by a key of this service that is not revoked. */
        readonly signature: boolean
        /** Names the address of the service as its issuer. */
        readonly issuer: boolean
        /** Already issued. */
        readonly notBefore: boolean
        /** Not expired. */
        readonly expiry: boolean
        /** Neither revoked, nor suspended with its agent. */
        readonly status: boolean
        /** About the agent, and with the claims, that the service stored. */
        readonly subject: boolean
      }
      readonly credential: components['schemas']['Credential'] | null
      readonly verifiedAt: string
    }
    readonly Attestation: {
      /** A Verifiable Credential of the type `StandingAttestation` (VC-JOSE-COSE). */
      readonly attestation: string
      readonly expiresAt: string
      /** What it states: its `credentialSubject`. */
      readonly subject: {
        readonly id: string
        readonly agentId: string
        readonly status: 'active' | 'suspended' | 'deactivated'
        readonly score: number
        readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
        readonly confidence: 'low' | 'medium' | 'high'
        /** The range of the score that the evidence allows. */
        readonly interval: {
          readonly low: number
          readonly high: number
        }
        readonly disputed: components['schemas']['Disputed']
        /** US dollars that may be at risk in one deal, from the payments that the agent has made well and its score. Null when no platform with a vote of its own has reported the amount of a good payment. */
        readonly exposureLimit: number | null
        readonly eventCount: number
        /** The version of the scoring model. Another version may score the same events differently. */
        readonly modelVersion: string
        /** Names that the agent has proven. A verifier compares them with what it deals with. */
        readonly identifiers: readonly string[]
      }
      /** For `capabilities.extensions` of an A2A agent card. */
      readonly extension: {
        readonly uri: 'urn:standing:a2a:attestation:1'
        readonly description: string
        readonly required: false
        readonly params: {
          readonly attestation: string
          /** Where a fresh one is. */
          readonly refresh: string
        }
      }
      /** For `attestations` of a trust manifest in an AI Catalog. */
      readonly trustManifest: {
        readonly type: 'standing-attestation'
        readonly uri: string
        readonly description: string
      }
    }
    readonly SigningKey: {
      /** The thumbprint of the key (RFC 7638). */
      readonly kid: string
      /**
       * What the key signs.
       */
      readonly purpose: 'credentials' | 'receipts' | 'tokens' | 'test'
      /** Ed25519 public key: the `x` of its JWK. */
      readonly publicKey: string
      readonly status: 'active' | 'retired' | 'revoked'
      readonly createdAt: string
      readonly retiredAt: string | null
      readonly revokedAt: string | null
    }
    readonly Issuing: {
      /** Null while credentials are issued. */
      readonly halted: {
        readonly at: string
        /** The id of the operator. */
        readonly by: string
        readonly reason: string
      } | null
    }
    readonly PublicPlatform: {
      readonly id: string
      /**
       * Whether it is live or test data. The two never meet.
       */
      readonly mode: 'live' | 'test'
      readonly name: string
    }
    readonly OwnPlatform: {
      readonly id: string
      /**
       * Whether it is live or test data. The two never meet.
       */
      readonly mode: 'live' | 'test'
      readonly name: string
      readonly tier: 'free' | 'growth' | 'platform'
      readonly status: 'active' | 'suspended'
      readonly publicKey: string | null
      /** The previous signing key, while it is still accepted. */
      readonly previousKey: {
        readonly publicKey: string
        readonly expiresAt: string
      } | null
      readonly requireAttestation: boolean
      /** Whether the operator has verified the platform: its reports have full weight from the first on, unless it reports only problems. A platform that is not verified earns full weight by reporting for two months on agents of several owners as other platforms do. */
      readonly verified: boolean
      /** Whether its reports have full weight: verified, or earned by its record. False for a platform that reports only problems. */
      readonly established: boolean
      /** The share of its reports whose quarantine no review upheld. After ten upheld reports a value below 0.95 becomes the weight of its reports. */
      readonly agreement: number
      readonly reports: {
        readonly total: number
        readonly quarantined: number
        readonly released: number
        readonly upheld: number
      }
      readonly ownerId: string | null
      /** When one of `apiKeys` was last used, at most a minute late; null while none of them was used. */
      readonly keyLastUsedAt: string | null
      /** Its API keys, the newest first: those that work, and for about a day those that have ended. The keys of a former owner are not among them. */
      readonly apiKeys: readonly components['schemas']['ApiKeyRecord'][]
      readonly createdAt: string
      readonly updatedAt: string
    }
    readonly PlatformWithKey: components['schemas']['Platform'] & {
      /** Returned only here: the service stores a hash of it. */
      readonly apiKey: string
    }
    readonly DiscardOutcome: {
      readonly reason: string
      readonly requestedAt: string
      /** How many agents have the event so far. */
      readonly agents: number
      /** Null until every agent that needs the event has it. */
      readonly finishedAt: string | null
    }
    readonly Platform: {
      readonly id: string
      /**
       * Whether it is live or test data. The two never meet.
       */
      readonly mode: 'live' | 'test'
      readonly name: string
      readonly tier: 'free' | 'growth' | 'platform'
      readonly status: 'active' | 'suspended'
      readonly publicKey: string | null
      /** The previous signing key, while it is still accepted. */
      readonly previousKey: {
        readonly publicKey: string
        readonly expiresAt: string
      } | null
      readonly requireAttestation: boolean
      /** Whether the operator has verified the platform: its reports have full weight from the first on, unless it reports only problems. A platform that is not verified earns full weight by reporting for two months on agents of several owners as other platforms do. */
      readonly verified: boolean
      /** Whether its reports have full weight: verified, or earned by its record. False for a platform that reports only problems. */
      readonly established: boolean
      /** The share of its reports whose quarantine no review upheld. After ten upheld reports a value below 0.95 becomes the weight of its reports. */
      readonly agreement: number
      readonly reports: {
        readonly total: number
        readonly quarantined: number
        readonly released: number
        readonly upheld: number
      }
      /** The last time that the operator discarded its reports; null for never. */
      readonly discarded: {
        readonly reason: string
        readonly requestedAt: string
        /** How many agents have the event so far. */
        readonly agents: number
        /** Null until every agent that needs the event has it. */
        readonly finishedAt: string | null
        /** How many agents were checked for reports of the platform, also if they need no event. Null before the agents are counted, if they cannot be counted, and after the discard has finished. */
        readonly progress: {
          readonly agentsChecked: number
          readonly agentsInAll: number
        } | null
        /** The discards of the platform before it, the newest first: at most the latest 20. */
        readonly earlier: readonly components['schemas']['DiscardOutcome'][]
      } | null
      readonly ownerId: string | null
      /** When one of `apiKeys` was last used, at most a minute late; null while none of them was used. */
      readonly keyLastUsedAt: string | null
      /** Its API keys, the newest first: those that work, and for about a day those that have ended. The keys of a former owner are not among them. */
      readonly apiKeys: readonly components['schemas']['ApiKeyRecord'][]
      readonly createdAt: string
      readonly updatedAt: string
    }
    readonly CreatePlatform: {
      readonly name: string
      readonly tier?: ('free' | 'growth' | 'platform') | undefined
      /** The Ed25519 public key that verifies the signatures of the platform: the `x` of its JWK. Base64, and SPKI in PEM or base64, are accepted too. */
      readonly publicKey?: (string | null) | undefined
      /** Whether reports without a valid signature are rejected. */
      readonly requireAttestation?: boolean | undefined
      /** Whether the operator has verified the platform: its reports have full weight from the first on, unless it reports only problems. A platform that is not verified earns full weight by reporting for two months on agents of several owners as other platforms do. */
      readonly verified?: boolean | undefined
      /** The owner that runs the platform. Its reports about this owner’s agents have the weight of self-reports. All platforms of one owner share one vote. It cannot be changed. */
      readonly ownerId?: (string | null) | undefined
    }
    readonly UpdatePlatform: {
      readonly name?: string | undefined
      readonly tier?: ('free' | 'growth' | 'platform') | undefined
      /** The Ed25519 public key that verifies the signatures of the platform: the `x` of its JWK. Base64, and SPKI in PEM or base64, are accepted too. */
      readonly publicKey?: (string | null) | undefined
      /** How long the previous signing key keeps working when this request replaces it. */
      readonly previousKeyOverlapSeconds?: number | undefined
      /** Whether reports without a valid signature are rejected. */
      readonly requireAttestation?: boolean | undefined
      /** Whether the operator has verified the platform: its reports have full weight from the first on, unless it reports only problems. A platform that is not verified earns full weight by reporting for two months on agents of several owners as other platforms do. */
      readonly verified?: boolean | undefined
      readonly status?: ('active' | 'suspended') | undefined
    }
    readonly Discard: {
      readonly reason: string
      readonly requestedAt: string
      /** How many agents have the event so far. */
      readonly agents: number
      /** Null until every agent that needs the event has it. */
      readonly finishedAt: string | null
      /** How many agents were checked for reports of the platform, also if they need no event. Null before the agents are counted, if they cannot be counted, and after the discard has finished. */
      readonly progress: {
        readonly agentsChecked: number
        readonly agentsInAll: number
      } | null
      /** The discards of the platform before it, the newest first: at most the latest 20. */
      readonly earlier: readonly components['schemas']['DiscardOutcome'][]
    }
    readonly DiscardReports: {
      readonly reason: string
    }
    readonly ManagedOwner: components['schemas']['Owner'] & {
      readonly status: 'active' | 'suspended' | 'erased'
    }
    readonly UpdateOwner: {
      readonly tier?: ('free' | 'growth' | 'platform') | undefined
      readonly status?: ('active' | 'suspended') | undefined
      readonly reason?: string | undefined
    }
    readonly ResetLink: {
      /** Where the person sets a new password. It works once. */
      readonly link: string
      readonly expiresAt: string
    }
    readonly SetStatus: {
      readonly status: 'active' | 'suspended'
      readonly reason: string
    }
    readonly OperatorWithKey: components['schemas']['Operator'] & {
      /** Returned only here: the service stores a hash of it. */
      readonly apiKey: string
    }
    readonly Operator: {
      readonly id: string
      readonly name: string
      readonly status: 'active' | 'revoked'
      readonly createdAt: string
      readonly revokedAt: string | null
      /** At most a minute late; null while no key of the operator was used. */
      readonly lastUsedAt: string | null
      /** Its API keys, the newest first: those that work, and for about a day those that have ended. The keys of a former owner are not among them. */
      readonly apiKeys: readonly components['schemas']['ApiKeyRecord'][]
    }
    readonly Jobs: {
      readonly jobs: readonly components['schemas']['Job'][]
      readonly queues: readonly components['schemas']['Queue'][]
    }
    readonly Job: {
      /** As in the metrics. */
      readonly name: string
      readonly everySeconds: number
      readonly isRunning: boolean
      readonly lastStartedAt: string | null
      readonly lastSucceededAt: string | null
      readonly nextAt: string
      /** Rounds that failed since the start; each runs again. */
      readonly failures: number
      readonly lastError: {
        readonly at: string
        readonly message: string
      } | null
    }
    readonly Queue: {
      readonly name:
        | 'reviews'
        | 'releases'
        | 'deliveries'
        | 'mails'
        | 'erasures'
        | 'discards'
        | 'identifier_checks'
        | 'model_migration'
        | 'attributions'
      /** Counted up to 10,000. */
      readonly waiting: number
      /** Since when the oldest waits; null where nothing waits, or that is not known. */
      readonly oldestAt: string | null
    }
    readonly Backups: {
      readonly latest: components['schemas']['Backup']
      readonly databaseBytes: number
    }
    /** The latest one by `standing backup`; null without one. */
    readonly Backup: {
      /** Where it was written, on the machine that ran the command. */
      readonly file: string
      /** The data is as of then. */
      readonly asOf: string
      /** When the file was read again to its end. */
      readonly verifiedAt: string
      readonly bytes: number
      readonly tables: number
      readonly rows: number
      /** Whether the file contains the master key. Anyone with such a file can read everything. */
      readonly hasMasterKey: boolean
    } | null
    readonly Calibration: {
      /** How many agents were looked at. */
      readonly agents: number
      /** About how many there are. */
      readonly agentsInAll: number
      readonly modelVersion: string
      readonly computedAt: string
      /** When the scores were as they are compared. */
      readonly since: string
      readonly data: readonly {
        /** The tier at `since`; `unknown` where confidence was low. */
        readonly tier: ('excellent' | 'good' | 'fair' | 'poor' | 'untrusted') | 'unknown'
        readonly agents: number
        /** Tasks and payments that platforms reported since, at most 200 of an agent. */
        readonly outcomes: number
        readonly good: number
        /** Good ones to be expected by the forecasts at `since`. */
        readonly expected: number
      }[]
    }
    readonly Resistance: {
      /** How many agents were looked at. */
      readonly agents: number
      /** About how many there are. */
      readonly agentsInAll: number
      readonly modelVersion: string
      readonly computedAt: string
      /** The number of platforms that are not suspended, of those that the operator verified, and of those that are established, by verification or by their record. Of these, platforms of one owner count as one. */
      readonly platforms: {
        readonly active: number
        readonly verified: number
        readonly established: number
      }
      /** Share of the platforms of these agents that name counterparties; null without a platform. */
      readonly counterpartiesNamed: number | null
      readonly data: readonly {
        /** How many platforms lie. */
        readonly platforms: number
        /** Agents that are Good or better. */
        readonly trusted: number
        /** How many of them would not be any more. */
        readonly ruined: number
        /** Agents below Good. */
        readonly untrusted: number
        /** How many of them would be Good or better. */
        readonly raised: number
      }[]
      /** The price list of the model (the page “Attacks”), the lines that fit this installation: raise a worthless agent to Good or Excellent, or take an honest one below Fair. */
      readonly prices: readonly {
        readonly goal: 'good' | 'excellent' | 'ruin'
        /**
         * What the attacker uses. `orders`: orders from its own accounts; `orders-named`: the same at platforms that name the counterparty. `own`: its own platforms; `own-new`: the same where no other platform is established. `bribed-N`: N bribed established platforms.
         */
        readonly attacker:
          | 'orders'
          | 'orders-named'
          | 'own'
          | 'own-new'
          | 'bribed-1'
          | 'bribed-2'
          | 'bribed-3'
        /** Null where the search found no such attack. */
        readonly cost: {
          readonly accounts: number
          /** US dollars. */
          readonly fees: number
          readonly days: number
          readonly reports: number
        } | null
      }[]
    }
    readonly ImportSummary: {
      readonly name: string
      readonly dryRun: boolean
      /** Lines that were read. */
      readonly lines: number
      /** New events that count. */
      readonly imported: number
      /** New events that await review. */
      readonly quarantined: number
      /** Events that an earlier import of the same lines brought. */
      readonly alreadyImported: number
      /** Lines that were not imported. */
      readonly refused: number
      /** The first 100 problems. */
      readonly errors: readonly {
        readonly line: number
        readonly code: string
        readonly message: string
      }[]
      /** The scores of the agents named, after the import; of a dry run, as they would be. At most 1,000. */
      readonly agents: readonly {
        readonly agentId: string
        readonly score: number
      }[]
    }
    readonly ReviewItem: components['schemas']['Event'] & {
      /** The findings of the rules, with their figures. */
      readonly findings: readonly components['schemas']['Finding'][]
      /** The history of the agent, as of now. */
      readonly agent: {
        readonly status: 'active' | 'suspended' | 'deactivated'
        readonly score: number
        readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
        /** The number of events that count. */
        readonly events: number
        /** The number of events that are quarantined or were found wrong. */
        readonly quarantined: number
        readonly registeredAt: string
        readonly daysActive: number
        /** Positive events on a usual day. */
        readonly usualPerDay: number
        readonly payments: {
          readonly count: number
          readonly usualUsd: number
        }
        readonly platforms: readonly {
          readonly good: number
          readonly bad: number
          readonly days: number
        }[]
      } | null
      /** The history of the platform that reported the event. */
      readonly reporterRecord: {
        readonly agreement: number
        readonly total: number
        readonly quarantined: number
        readonly released: number
        readonly upheld: number
      } | null
    }
    readonly Finding: {
      readonly rule: string
      readonly severity: 'low' | 'medium' | 'high'
      /**
       * `shadow`: recorded only; the rule did not quarantine the event.
       */
      readonly mode: 'quarantine' | 'shadow'
      readonly sentence: string
      readonly evidence: {
        readonly [key: string]: number | string
      }
    }
    readonly ReviewDecision: {
      readonly decision: 'released' | 'upheld'
      readonly reason: string
    }
    readonly BulkReviewAnswer: {
      readonly reviewed: number
      /** Whether more events match the filter. */
      readonly more: boolean
      readonly data: readonly components['schemas']['Event'][]
    }
    readonly BulkReview: {
      readonly decision: 'released' | 'upheld'
      readonly reason: string
      /**
       * Only events with a finding of this rule.
       */
      readonly rule?:
        | (
            | 'attestation_invalid'
            | 'contradictory_data'
            | 'implausible_data'
            | 'identical_event'
            | 'near_duplicate'
            | 'burst'
            | 'burst_peers'
            | 'backdated'
            | 'window_edge'
            | 'self_dealing'
            | 'credential_pumping'
            | 'sleeper'
            | 'sudden_change'
            | 'conflicting_report'
          )
        | undefined
      /** Only events about this agent. */
      readonly agentId?: string | undefined
      /** Only events from this reporter. */
      readonly reporterId?: string | undefined
      /** Earliest time of receipt to include. */
      readonly from?: string | undefined
      /** Latest time of receipt to include. */
      readonly to?: string | undefined
    }
    readonly QuarantinedScore: {
      /** The number of events that await a decision. */
      readonly quarantinedEvents: number
      readonly current: components['schemas']['Score']
      readonly withQuarantined: components['schemas']['Score'] & unknown
    }
    readonly FraudRuleWithFindings: components['schemas']['FraudRule'] & {
      readonly found: components['schemas']['RuleFindings']
    }
    /** What the rule found lately, among the latest 10,000 events with findings, and what reviews decided. */
    readonly RuleFindings: {
      readonly days: number
      /** Events in which the rule found something. */
      readonly events: number
      /** How many of them it quarantined. In shadow mode it would have quarantined all. */
      readonly quarantined: number
      readonly released: number
      readonly upheld: number
    }
    readonly FraudRule: {
      readonly id: string
      readonly summary: string
      readonly severity: 'low' | 'medium' | 'high'
      /**
       * `quarantine`: an event with a finding waits for review. `shadow`: it counts, and the finding is recorded. `off`: the rule is not applied.
       */
      readonly mode: 'quarantine' | 'shadow' | 'off'
      /**
       * `quarantine`: an event with a finding waits for review. `shadow`: it counts, and the finding is recorded. `off`: the rule is not applied.
       */
      readonly defaultMode: 'quarantine' | 'shadow' | 'off'
      readonly threshold: {
        /** The value in use. */
        readonly value: number
        readonly default: number
        readonly min: number
        readonly max: number
        readonly unit: string
        readonly reason: string
      } | null
    }
    readonly UpdateFraudRule: {
      /**
       * `quarantine`: an event with a finding waits for review. `shadow`: it counts, and the finding is recorded. `off`: the rule is not applied.
       */
      readonly mode?: ('quarantine' | 'shadow' | 'off') | undefined
      /** Null restores the default of the rule. */
      readonly threshold?: (number | null) | undefined
    }
    readonly AuditEntry: {
      readonly id: string
      readonly actor: {
        readonly kind: string
        readonly id: string | null
        /** The name of an operator or of an API key; not part of the hash. */
        readonly name: string | null
      }
      readonly action: string
      readonly target: {
        readonly kind: string
        readonly id: string
      } | null
      readonly details: {
        readonly [key: string]: unknown
      }
      readonly createdAt: string
      /** The position in the chain: 1, 2, 3 and so on, without gaps. */
      readonly number: number
      /** SHA-256 in hex of the JSON array of: the previous hash (empty for the first entry), number, id, actor kind, action, target kind and id, createdAt in milliseconds, commitment. */
      readonly hash: string
      /** SHA-256 in hex of the JSON array of: salt, actor id, details. */
      readonly commitment: string
      /** Null for an entry whose actor id and details were erased with an owner or an agent. */
      readonly salt: string | null
    }
    readonly WebhookWithSecret: components['schemas']['Webhook'] & {
      /** Returned only here. Notifications are signed with it (Standard Webhooks 1.0.0). */
      readonly secret: string
    }
    readonly Webhook: {
      readonly id: string
      /**
       * Whether it is live or test data. The two never meet.
       */
      readonly mode: 'live' | 'test'
      readonly url: string
      readonly events: readonly (
        | 'score.changed'
        | 'score.tier_changed'
        | 'event.ingested'
        | 'event.quarantined'
        | 'event.reviewed'
        | 'credential.issued'
        | 'credential.revoked'
        | 'agent.status_changed'
        | 'agent.transferred'
        | 'identifier.verified'
        | 'identifier.failing'
        | 'identifier.lapsed'
        | '*'
      )[]
      readonly agentIds: readonly string[] | null
      readonly format: 'standard' | 'slack' | 'teams' | 'discord' | 'mail'
      readonly description: string | null
      /**
       * `paused` after five consecutive failures: deliveries wait, with one attempt an hour. `disabled` after ten, or when the receiver responds 410.
       */
      readonly status: 'active' | 'paused' | 'disabled'
      readonly statusReason: 'failing' | 'gone' | null
      readonly statusChangedAt: string | null
      readonly consecutiveFailures: number
      readonly createdAt: string
      readonly updatedAt: string
    }
    readonly CreateWebhook: {
      /** The URL to post to: https, on a public host. For mails `mailto:` and the address. */
      readonly url: string
      /** The notification types to deliver; `*` means all. */
      readonly events: readonly (
        | 'score.changed'
        | 'score.tier_changed'
        | 'event.ingested'
        | 'event.quarantined'
        | 'event.reviewed'
        | 'credential.issued'
        | 'credential.revoked'
        | 'agent.status_changed'
        | 'agent.transferred'
        | 'identifier.verified'
        | 'identifier.failing'
        | 'identifier.lapsed'
        | '*'
      )[]
      /**
       * `standard`: signed JSON. `slack`, `teams`, `discord`: a message for an incoming webhook of that chat. `mail`: a mail to the confirmed address of a member, with `url` `mailto:…`.
       */
      readonly format?: ('standard' | 'slack' | 'teams' | 'discord' | 'mail') | undefined
      readonly description?: (string | null) | undefined
      /** Only notifications about these agents. Defaults to all agents of the account, and all it watches. */
      readonly agentIds?: (readonly string[] | null) | undefined
    }
    readonly UpdateWebhook: {
      /** The URL to post to: https, on a public host. For mails `mailto:` and the address. */
      readonly url?: string | undefined
      /** The notification types to deliver; `*` means all. */
      readonly events?:
        | readonly (
            | 'score.changed'
            | 'score.tier_changed'
            | 'event.ingested'
            | 'event.quarantined'
            | 'event.reviewed'
            | 'credential.issued'
            | 'credential.revoked'
            | 'agent.status_changed'
            | 'agent.transferred'
            | 'identifier.verified'
            | 'identifier.failing'
            | 'identifier.lapsed'
            | '*'
          )[]
        | undefined
      readonly description?: (string | null) | undefined
      /** Only notifications about these agents. Defaults to all agents of the account, and all it watches. */
      readonly agentIds?: (readonly string[] | null) | undefined
      /**
       * `active` resumes a paused or disabled subscription.
       */
      readonly status?: ('active' | 'disabled') | undefined
    }
    readonly RotatedSecret: {
      /** Returned only here. Notifications are signed with it (Standard Webhooks 1.0.0). */
      readonly secret: string
      /** Until then every notification is signed with the previous secret as well. */
      readonly previousSecretExpiresAt: string
    }
    readonly WebhookDelivery: {
      /** The id of the notification, sent as `webhook-id`. */
      readonly id: string
      readonly webhookId: string
      readonly type:
        | 'score.changed'
        | 'score.tier_changed'
        | 'event.ingested'
        | 'event.quarantined'
        | 'event.reviewed'
        | 'credential.issued'
        | 'credential.revoked'
        | 'agent.status_changed'
        | 'agent.transferred'
        | 'identifier.verified'
        | 'identifier.failing'
        | 'identifier.lapsed'
        | 'webhook.test'
      readonly agentId: string | null
      readonly status: 'pending' | 'delivered' | 'failed'
      readonly attemptCount: number
      /** Why the last attempt failed; null where it succeeded, or none was made. */
      readonly lastError: string | null
      readonly nextAttemptAt: string | null
      readonly createdAt: string
      readonly finishedAt: string | null
    }
    readonly WebhookDeliveryDetails: {
      /** The id of the notification, sent as `webhook-id`. */
      readonly id: string
      readonly webhookId: string
      readonly type:
        | 'score.changed'
        | 'score.tier_changed'
        | 'event.ingested'
        | 'event.quarantined'
        | 'event.reviewed'
        | 'credential.issued'
        | 'credential.revoked'
        | 'agent.status_changed'
        | 'agent.transferred'
        | 'identifier.verified'
        | 'identifier.failing'
        | 'identifier.lapsed'
        | 'webhook.test'
      readonly agentId: string | null
      readonly status: 'pending' | 'delivered' | 'failed'
      readonly attemptCount: number
      /** Why the last attempt failed; null where it succeeded, or none was made. */
      readonly lastError: string | null
      readonly nextAttemptAt: string | null
      readonly createdAt: string
      readonly finishedAt: string | null
      /** The data of the notification. */
      readonly data: {
        readonly [key: string]: unknown
      }
      /** The latest 30, oldest first. */
      readonly attempts: readonly components['schemas']['WebhookAttempt'][]
    }
    readonly WebhookAttempt: {
      readonly at: string
      readonly outcome: 'delivered' | 'failed' | 'gone' | 'throttled'
      /** The HTTP status; null when there was no response. */
      readonly status: number | null
      readonly error: string | null
      readonly durationMs: number
      /** The first KiB of the response body. */
      readonly responseStart: string
    }
    readonly RecoveredWebhook: {
      /** The number of deliveries queued again. */
      readonly recovered: number
      /** False when more are left: call again once these are delivered. */
      readonly complete: boolean
    }
    readonly Listener: {
      readonly id: string
      readonly events: readonly (
        | 'score.changed'
        | 'score.tier_changed'
        | 'event.ingested'
        | 'event.quarantined'
        | 'event.reviewed'
        | 'credential.issued'
        | 'credential.revoked'
        | 'agent.status_changed'
        | 'agent.transferred'
        | 'identifier.verified'
        | 'identifier.failing'
        | 'identifier.lapsed'
        | '*'
      )[]
      readonly agentIds: readonly string[] | null
      /** Extended whenever the listener is read. */
      readonly expiresAt: string
    }
    readonly CreateListener: {
      /** The notification types to deliver; `*` means all. */
      readonly events: readonly (
        | 'score.changed'
        | 'score.tier_changed'
        | 'event.ingested'
        | 'event.quarantined'
        | 'event.reviewed'
        | 'credential.issued'
        | 'credential.revoked'
        | 'agent.status_changed'
        | 'agent.transferred'
        | 'identifier.verified'
        | 'identifier.failing'
        | 'identifier.lapsed'
        | '*'
      )[]
      /** Only notifications about these agents. Defaults to all agents of the account, and all it watches. */
      readonly agentIds?: (readonly string[] | null) | undefined
    }
    readonly Watch: {
      readonly agentId: string
      readonly createdAt: string
    }
    readonly TestPlatform: components['schemas']['Platform'] & {
      /** Returned only here: the service stores a hash of it. */
      readonly apiKey: string
    }
    readonly DeletedTestData: {
      readonly agents: number
      readonly platforms: number
      readonly webhooks: number
    }
    readonly listAgentsQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
      /** Only agents that act for this one. */
      readonly parentId?: string | undefined
    }
    readonly listTransfersQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
    }
    readonly getScoreQuery: {
      /** Return the score as of this time, not before the registration: computed by the current model from the events received until then, as corrected by later reviews. Defaults to now. */
      readonly at?: string | undefined
      /** Also return the score for this class of work, as task events name it. */
      readonly taskClass?: string | undefined
    }
    readonly getScoreHistoryQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
      /** Earliest time to include (RFC 3339). */
      readonly from?: string | undefined
      /** Latest time to include (RFC 3339). */
      readonly to?: string | undefined
    }
    readonly getScoreSeriesQuery: {
      /** The first time. Defaults to the registration, and is never before it. */
      readonly from?: string | undefined
      /** The last time. Defaults to now. */
      readonly to?: string | undefined
      /** The number of times. */
      readonly points?: number | undefined
    }
    readonly explainScoreQuery: {
      /** The id of a snapshot: also explain why the score changed since then. */
      readonly since?: string | undefined
      /** The id of an event: also return the score without it. For the agent itself, its owner and the operator. For an event of long ago that is computed first: 503 with the reason `computing`, and the score a moment later. */
      readonly without?: string | undefined
      /** Also return the score after these additional events. */
      readonly more?: string | undefined
      /** Also return the score for this class of work, as task events name it. */
      readonly taskClass?: string | undefined
    }
    readonly listOwnEventsQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
      /** Earliest time to include (RFC 3339). */
      readonly from?: string | undefined
      /** Latest time to include (RFC 3339). */
      readonly to?: string | undefined
      readonly type?: components['schemas']['EventType'] | undefined
      readonly agentId?: string | undefined
      readonly quarantined?: ('true' | 'false') | undefined
    }
    readonly listEventsQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
      /** Earliest time to include (RFC 3339). */
      readonly from?: string | undefined
      /** Latest time to include (RFC 3339). */
      readonly to?: string | undefined
      readonly type?: components['schemas']['EventType'] | undefined
    }
    readonly listCredentialsQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
      /** The agent whose credentials to list. */
      readonly agentId: string
      /**
       * Only credentials with this status.
       */
      readonly status?: ('active' | 'expired' | 'revoked') | undefined
    }
    readonly listOwnersQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
      /** Only the owner with this e-mail. */
      readonly email?: string | undefined
    }
    readonly listReviewsQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
      /**
       * Only events with a finding of this rule.
       */
      readonly rule?:
        | (
            | 'attestation_invalid'
            | 'contradictory_data'
            | 'implausible_data'
            | 'identical_event'
            | 'near_duplicate'
            | 'burst'
            | 'burst_peers'
            | 'backdated'
            | 'window_edge'
            | 'self_dealing'
            | 'credential_pumping'
            | 'sleeper'
            | 'sudden_change'
            | 'conflicting_report'
          )
        | undefined
      /** Only events about this agent. */
      readonly agentId?: string | undefined
      /** Only events from this reporter. */
      readonly reporterId?: string | undefined
      /** Earliest time of receipt to include. */
      readonly from?: string | undefined
      /** Latest time of receipt to include. */
      readonly to?: string | undefined
    }
    readonly listWebhookDeliveriesQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
      /**
       * Only deliveries with this status.
       */
      readonly status?: ('pending' | 'delivered' | 'failed') | undefined
    }
    readonly listListenerNotificationsQuery: {
      /** The `nextCursor` of the previous page. Omit it for the first page. */
      readonly cursor?: string | undefined
      /** Maximum number of items. */
      readonly limit?: number | undefined
      /** How long to wait for a notification when there is none. */
      readonly waitSeconds?: number | undefined
    }
    readonly Notifications: {
      readonly 'score.changed': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'score.changed'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly previousScore: number
          readonly newScore: number
          readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
          readonly disputed: components['schemas']['Disputed']
          /** US dollars that may be at risk in one deal, from the payments that the agent has made well and its score. Null when no platform with a vote of its own has reported the amount of a good payment. */
          readonly exposureLimit: number | null
          /** What changed the score: an event, the review of an event, or a new scoring model (with the last event that counted before it). */
          readonly triggeredBy: {
            readonly kind: 'event' | 'review' | 'model'
            readonly id: string
            readonly type: components['schemas']['EventType']
          }
        }
      }
      readonly 'score.tier_changed': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'score.tier_changed'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly previousScore: number
          readonly newScore: number
          readonly classification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
          readonly disputed: components['schemas']['Disputed']
          /** US dollars that may be at risk in one deal, from the payments that the agent has made well and its score. Null when no platform with a vote of its own has reported the amount of a good payment. */
          readonly exposureLimit: number | null
          /** What changed the score: an event, the review of an event, or a new scoring model (with the last event that counted before it). */
          readonly triggeredBy: {
            readonly kind: 'event' | 'review' | 'model'
            readonly id: string
            readonly type: components['schemas']['EventType']
          }
          readonly previousClassification: 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
        }
      }
      readonly 'event.ingested': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'event.ingested'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly eventId: string
          readonly type: components['schemas']['EventType']
          readonly isSelfReported: boolean
          readonly isQuarantined: boolean
          readonly fraudFlags: readonly string[]
          readonly quarantineReason: string | null
        }
      }
      readonly 'event.quarantined': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'event.quarantined'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly eventId: string
          readonly type: components['schemas']['EventType']
          readonly isSelfReported: boolean
          readonly isQuarantined: boolean
          readonly fraudFlags: readonly string[]
          readonly quarantineReason: string | null
        }
      }
      readonly 'event.reviewed': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'event.reviewed'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly eventId: string
          readonly type: components['schemas']['EventType']
          readonly decision: 'released' | 'upheld'
          readonly reason: string
        }
      }
      readonly 'credential.issued': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'credential.issued'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly credentialId: string
          readonly type: string
          readonly expiresAt: string | null
        }
      }
      readonly 'credential.revoked': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'credential.revoked'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly credentialId: string
          readonly type: string
          readonly reason: string | null
          readonly revokedAt: string | null
        }
      }
      readonly 'agent.status_changed': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'agent.status_changed'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly previousStatus: 'active' | 'suspended' | 'deactivated'
          readonly status: 'active' | 'suspended' | 'deactivated'
          readonly reason: string | null
        }
      }
      readonly 'agent.transferred': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'agent.transferred'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly transferId?: string | undefined
          readonly fromOwnerId?: string | undefined
          readonly toOwnerId?: string | undefined
          /**
           * `in` for the new owner, `out` for the former one.
           */
          readonly direction?: ('in' | 'out') | undefined
        }
      }
      readonly 'identifier.verified': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'identifier.verified'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly identifierId: string
          readonly type:
            | 'did'
            | 'domain'
            | 'a2a_card'
            | 'mcp_server'
            | 'web_bot_auth'
            | 'caip10'
            | 'erc8004'
            | 'oauth_client'
            | 'spiffe'
          /** In its one canonical spelling. */
          readonly value: string
          /** Why the last check failed; null when it did not. */
          readonly problem: {
            readonly code:
              | 'challenge_missing'
              | 'signature_required'
              | 'signature_invalid'
              | 'key_not_found'
              | 'wrong_subject'
              | 'not_provable'
              | 'address_not_allowed'
              | 'unreachable'
              | 'timeout'
              | 'too_large'
              | 'redirected'
              | 'not_found'
              | 'malformed'
              | 'agent_transferred'
            readonly message: string
          } | null
        }
      }
      readonly 'identifier.failing': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'identifier.failing'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly identifierId: string
          readonly type:
            | 'did'
            | 'domain'
            | 'a2a_card'
            | 'mcp_server'
            | 'web_bot_auth'
            | 'caip10'
            | 'erc8004'
            | 'oauth_client'
            | 'spiffe'
          /** In its one canonical spelling. */
          readonly value: string
          /** Why the last check failed; null when it did not. */
          readonly problem: {
            readonly code:
              | 'challenge_missing'
              | 'signature_required'
              | 'signature_invalid'
              | 'key_not_found'
              | 'wrong_subject'
              | 'not_provable'
              | 'address_not_allowed'
              | 'unreachable'
              | 'timeout'
              | 'too_large'
              | 'redirected'
              | 'not_found'
              | 'malformed'
              | 'agent_transferred'
            readonly message: string
          } | null
        }
      }
      readonly 'identifier.lapsed': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'identifier.lapsed'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The agent that the notification is about. */
          readonly agentId: string
          readonly identifierId: string
          readonly type:
            | 'did'
            | 'domain'
            | 'a2a_card'
            | 'mcp_server'
            | 'web_bot_auth'
            | 'caip10'
            | 'erc8004'
            | 'oauth_client'
            | 'spiffe'
          /** In its one canonical spelling. */
          readonly value: string
          /** Why the last check failed; null when it did not. */
          readonly problem: {
            readonly code:
              | 'challenge_missing'
              | 'signature_required'
              | 'signature_invalid'
              | 'key_not_found'
              | 'wrong_subject'
              | 'not_provable'
              | 'address_not_allowed'
              | 'unreachable'
              | 'timeout'
              | 'too_large'
              | 'redirected'
              | 'not_found'
              | 'malformed'
              | 'agent_transferred'
            readonly message: string
          } | null
        }
      }
      readonly 'webhook.test': {
        /** The `webhook-id`: the same in every attempt. */
        readonly id: string
        readonly type: 'webhook.test'
        /**
         * Only where it is about test data.
         */
        readonly mode?: 'test' | undefined
        readonly timestamp: string
        readonly data: {
          /** The subscription that is tested. */
          readonly webhookId: string
        }
      }
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
