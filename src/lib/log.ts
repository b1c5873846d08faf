import type { BaseLogger } from 'pino'

/** The log: one JSON line for each entry. */
export type Log = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>
