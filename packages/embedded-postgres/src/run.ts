import { spawn } from 'node:child_process'
import type { User } from './user.ts'

/**
 * The environment of the programs: without variables that configure PostgreSQL (PGDATA, PGPORT,
 * PGOPTIONS of the user's shell), and with messages in English for the log.
 */
export function programEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/** The spawn options that make a program run as `user`; none when this process runs as that user. */
export function identity(user: User): { uid?: number; gid?: number } {
  return user.switched ? { uid: user.uid, gid: user.gid } : {}
}

/**
 * The data directory in the server's arguments. Its user may not be able to reach it by its path (it
 * may be in /root), but the server is started inside it, where it is `/proc/self/cwd`.
 */
export function dataArgument(dir: string, user: User): string {
  return user.switched && process.platform === 'linux' ? '/proc/self/cwd' : dir
}

/** How a program ended; `failed` when it could not be started. */
export type Ended =
  | { readonly kind: 'exited'; readonly code: number; readonly out: string; readonly err: string }
  | { readonly kind: 'failed'; readonly error: Error }

/** Runs a program to its end as `user`, in the directory `cwd`, and collects its output. */
export function run(
  program: string,
  args: readonly string[],
  user: User,
  cwd: string,
): Promise<Ended> {
  const options = { cwd, env: programEnv(), ...identity(user) }
  return new Promise<Ended>((done) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.on('error', (error) => done({ kind: 'failed', error }))
    // A program that was ended by a signal has no code; a shell reports 128 and more.
    child.on('close', (code) => done({ kind: 'exited', code: code ?? 128, out, err }))
    // Some errors (EPERM when root may not become another user) are thrown, others emitted.
  }).catch((error: Error) => ({ kind: 'failed', error }))
}
