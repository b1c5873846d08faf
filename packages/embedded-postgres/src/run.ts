import { spawn } from 'node:child_process'
import type { User } from './user.ts'

/**
 * What the programs see of our environment: nothing that steers PostgreSQL (PGDATA, PGPORT, PGOPTIONS
 * of whoever typed the command would otherwise reach it), and messages in English for the log.
 */
export function programEnv(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
}

/** The spawn options that make a program run as `user`; none when that is who we are. */
export function identity(user: User): { uid?: number; gid?: number } {
  return user.switched ? { uid: user.uid, gid: user.gid } : {}
}

/**
 * What to call a data directory in the server's arguments. Its user may not be able to reach it (it
 * may lie below /root): but we start him inside it, and there it is always `/proc/self/cwd`.
 */
export function dataArgument(dir: string, user: User): string {
  return user.switched && process.platform === 'linux' ? '/proc/self/cwd' : dir
}

/** How a short-lived program ended: `failed` when it could not even be started. */
export type Ended =
  | { readonly kind: 'exited'; readonly code: number; readonly out: string; readonly err: string }
  | { readonly kind: 'failed'; readonly error: Error }

/** Runs a program to its end as `user`, in the directory `cwd`, and collects what it says. */
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
    // A program ended by a signal has no code; 128 is what a shell would begin counting from.
    child.on('close', (code) => done({ kind: 'exited', code: code ?? 128, out, err }))
    // Some refusals (EPERM when root may not become another user) are thrown, others told.
  }).catch((error: Error) => ({ kind: 'failed', error }))
}
