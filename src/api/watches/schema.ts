import { z } from '../../http/schema.ts'
import { listOf } from '../paging.ts'
import { Id, Time } from '../wire.ts'

export const Watch = z.object({ agentId: Id, createdAt: Time }).openapi('Watch')

export const WatchList = listOf(Watch, 'WatchList')
