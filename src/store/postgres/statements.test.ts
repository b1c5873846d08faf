import { expect, test } from 'vitest'
import initial from '../migrations/0001-initial.sql'
import { statementsIn } from './statements.ts'

test('a script is split at the ends of statements, and not within texts, comments and bodies', () => {
  expect(
    statementsIn(`-- one; and not two
      create table a (b text default 'x;''y');
      create function c() returns int language sql as $body$ select 1; $body$;
      /* nothing; more */`),
  ).toEqual([
    "-- one; and not two\n      create table a (b text default 'x;''y')",
    'create function c() returns int language sql as $body$ select 1; $body$',
  ])
})

test('the schema is a list of statements that each create or change one thing', () => {
  const statements = statementsIn(initial).map((one) => one.replaceAll(/^\s*--.*\n/gm, '').trim())
  for (const statement of statements) {
    expect(statement).toMatch(/^(create|alter) /)
  }
})
