import * as account from './account.ts'
import * as agent from './agent.ts'
import * as agents from './agents.ts'
import * as common from './common.ts'
import * as operator from './operator.ts'
import * as platform from './platform.ts'
import { service } from './service.ts'
import * as session from './session.ts'
import * as testData from './test-data.ts'
import * as transfers from './transfers.ts'
import * as webhooks from './webhooks.ts'

export const EN = {
  ...common,
  ...session,
  ...agents,
  ...account,
  ...agent,
  ...webhooks,
  ...operator,
  ...platform,
  ...transfers,
  ...testData,
  service,
}
