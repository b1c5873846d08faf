import type { LoginSuccess } from '../login-successes.ts'
import { rowStore } from './row-store.ts'
import { tableOf } from './table.ts'

const LOGIN_SUCCESSES = tableOf<LoginSuccess>('login_successes', { name: 'name', at: 'at' })

export const loginSuccessStore = rowStore<LoginSuccess, Pick<LoginSuccess, 'name'>>(
  LOGIN_SUCCESSES,
  { savedBy: ['name'] },
)
