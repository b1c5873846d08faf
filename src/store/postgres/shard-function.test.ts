import { expect, test } from 'vitest'
import { textIn } from './shard-function.ts'

test('a statement in a shard names the tables of the shard, and nothing else changes', () => {
  const tables = new Map([
    ['agent_states', 'agent_states_102008'],
    ['events', 'events_102012'],
  ])
  expect(
    textIn(
      { lowest: 0, id: '102008', group: 1, tables },
      'with a as (update agent_states s set events = 1 from unnest($1::uuid[]) as t(id)) insert into events (x) select x from a',
    ),
  ).toBe(
    'with a as (update agent_states_102008 s set events = 1 from unnest($1::uuid[]) as t(id)) insert into events_102012 (x) select x from a',
  )
})
