import type { Command } from './command.ts'
import type { Section } from './help.ts'
import { ACCOUNT } from './table/account.ts'
import { ACCOUNT_KEYS } from './table/account-keys.ts'
import { AGENTS } from './table/agents.ts'
import { CREDENTIALS } from './table/credentials.ts'
import { DATA } from './table/data.ts'
import { EVENTS } from './table/events.ts'
import { MAPPINGS } from './table/mappings.ts'
import { MEMBERS } from './table/members.ts'
import { OPERATORS } from './table/operators.ts'
import { OWNERS } from './table/owners.ts'
import { PLATFORMS } from './table/platforms.ts'
import { POLICIES } from './table/policies.ts'
import { REPLAY } from './table/replay.ts'
import { REVIEWS } from './table/reviews.ts'
import { SCORES } from './table/scores.ts'
import { ACCESS, SERVICE } from './table/service.ts'
import { SESSIONS } from './table/sessions.ts'
import { SIGNING_KEYS } from './table/signing-keys.ts'
import { SIMULATE } from './table/simulate.ts'
import { TEST_DATA } from './table/test-data.ts'
import { TOOLS } from './table/tools.ts'
import { TRANSFERS } from './table/transfers.ts'
import { WATCHES } from './table/watches.ts'
import { WEBHOOKS } from './table/webhooks.ts'

/** Every command, in the order in which help and docs/cli.md list them. */
export const SECTIONS: readonly Section[] = [
  { title: 'The service', commands: SERVICE },
  { title: 'Access', commands: ACCESS },
  { title: 'Scores', commands: SCORES },
  { title: 'Events', commands: [...EVENTS, ...MAPPINGS] },
  { title: 'Agents', commands: [...AGENTS, ...TRANSFERS] },
  { title: 'Credentials', commands: CREDENTIALS },
  { title: 'Webhooks', commands: [...WEBHOOKS, ...WATCHES] },
  { title: 'Test mode', commands: TEST_DATA },
  { title: 'Your account', commands: [ACCOUNT, ...ACCOUNT_KEYS, ...MEMBERS, ...SESSIONS] },
  { title: 'A platform’s policies and decisions', commands: POLICIES },
  {
    title: 'The operator: platforms, owners, operators',
    commands: [...PLATFORMS, ...OWNERS, ...OPERATORS],
  },
  { title: 'The operator: reviews and signing keys', commands: [...REVIEWS, ...SIGNING_KEYS] },
  { title: 'Data', commands: DATA },
  { title: 'Experiments', commands: [SIMULATE, REPLAY] },
  { title: 'Tools', commands: TOOLS },
]

export const COMMANDS: readonly Command[] = SECTIONS.flatMap(({ commands }) => commands)
