import { describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../types.ts'
import { translate } from './sql.ts'

function problem(message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), fields)
}

/** As PostgreSQL 15 to 18 answer; the message depends on the language of the server. */
const UNLOGGED_ON_STANDBY = problem('a', {
  code: '0A000',
  severity: 'ERROR',
  routine: 'get_relation_info',
})

describe('the database counts as unavailable', () => {
  test.each([
    ['no server listens', problem('connect ECONNREFUSED', { code: 'ECONNREFUSED' })],
    ['its socket is gone', problem('connect ENOENT', { code: 'ENOENT' })],
    ['it hung up while it was written to', problem('write EPIPE', { code: 'EPIPE' })],
    ['its host does not answer', problem('connect EHOSTUNREACH', { code: 'EHOSTUNREACH' })],
    ['there is no way to it', problem('connect ENETUNREACH', { code: 'ENETUNREACH' })],
    ['this end aborted', problem('read ECONNABORTED', { code: 'ECONNABORTED' })],
    ['it hung up', problem('Connection terminated unexpectedly')],
    ['no connection was free in time', problem('timeout exceeded when trying to connect')],
    ['it is shutting down', problem('a', { code: '57P01', severity: 'FATAL' })],
    ['it takes no connections', problem('a', { code: '55000', severity: 'FATAL' })],
    ['it does not exist', problem('a', { code: '3D000', severity: 'FATAL' })],
    ['its disk is full', problem('a', { code: '53100', severity: 'ERROR' })],
    ['a lock was not had in time', problem('a', { code: '55P03', severity: 'ERROR' })],
    ['it only reads', problem('a', { code: '25006', severity: 'ERROR' })],
    ['it is a standby, which has no unlogged tables', UNLOGGED_ON_STANDBY],
  ])('when %s', (_why, error) => {
    expect(translate(error)).toBeInstanceOf(StoreUnavailable)
  })
})

describe('an error is a fault of the service', () => {
  test.each([
    ['a table is missing', problem('a', { code: '42P01', severity: 'ERROR' })],
    ['a row is there twice', problem('a', { code: '23505', severity: 'ERROR' })],
    ['the server cannot do it', problem('a', { code: '0A000', severity: 'ERROR' })],
    ['anything else breaks', problem('a is not a function')],
  ])('when %s', (_why, error) => {
    expect(translate(error)).toBe(error)
  })
})
