/**
 * A real PostgreSQL server as part of a Node.js program: its binaries come from npm, it listens on a
 * Unix socket only, its data lies in one directory. It is started with the program, restarted when it
 * exits, and attached to again when the program was killed.
 */

export type { Connection } from './connect.ts'
export { type EmbeddedOptions, startEmbedded } from './embedded.ts'
export { type EmbeddedCode, EmbeddedError } from './error.ts'
export { findRunning } from './find-running.ts'
export type { Log } from './paths.ts'
export { type Preflight, preflight } from './preflight.ts'
export type { Embedded } from './supervise.ts'
