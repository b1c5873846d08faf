import { expect, test } from 'vitest'
import { openPool } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'

test('the loss of an idle connection is reported without the state of the connection', async () => {
  const errors: Error[] = []
  const pool = await openPool({ max: 2, onError: (error) => errors.push(error) })
  const [idle, other] = [await pool.connect(), await pool.connect()]
  const { rows } = await idle.query<{ pid: number }>('select pg_backend_pid() as pid')
  idle.release()
  await other.query('select pg_terminate_backend($1)', [rows[0]?.pid])
  await eventually(() => expect(errors.length).toBeGreaterThan(0))
  other.release()
  expect(errors.flatMap((error) => Object.keys(error))).not.toContain('client')
})
