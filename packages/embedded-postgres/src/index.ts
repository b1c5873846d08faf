/**
 * The PostgreSQL that comes along: a real server from npm, on a Unix socket, in a directory of ours,
 * started with us, brought back when it dies, found again when we do.
 */

export type { Connection } from './connect.ts'
export { type EmbeddedOptions, startEmbedded } from './embedded.ts'
export { type EmbeddedCode, EmbeddedError } from './error.ts'
export { findRunning } from './find-running.ts'
export type { Log } from './paths.ts'
export { type Survey, survey } from './preflight.ts'
export type { Embedded } from './supervise.ts'
