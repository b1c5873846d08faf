import type { Fault } from '../fault.ts'

/** Every connection to the database ends at the same moment, by the network or by an administrator. */
export const cutConnections: Fault = {
  name: 'terminated connections',
  what: 'all connections to PostgreSQL end, by the network or by pg_terminate_backend',
  async strike({ stage, round }) {
    if (round % 2 === 0) {
      stage.proxy?.cut()
      return
    }
    const pool = await stage.connect()
    await pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'standing%' and pid <> pg_backend_pid()",
    )
    await pool.end()
  },
}
