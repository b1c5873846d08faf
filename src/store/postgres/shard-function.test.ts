import { expect, test } from 'vitest'
import { textInShard } from './shard-function.ts'

test('a statement in a shard has positions for its tables, and one array for its values', () => {
  expect(
    textInShard(
      'with a as (update agent_states s set events = 1 from unnest($1::uuid[]) as t(id)) insert into events (x) values ($12)',
    ),
  ).toBe(
    'with a as (update %1$I s set events = 1 from unnest(($1)[1]::uuid[]) as t(id)) insert into %2$I (x) values (($1)[12])',
  )
})
