import type { BaseLogger } from 'pino'

/** Where what happens is written: one JSON line each. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>
