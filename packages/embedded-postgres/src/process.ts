import { readFile, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorCode } from './error.ts'
import { run } from './run.ts'

const onLinux = process.platform === 'linux'

/**
 * Whether a process lives. One that has ended but was not yet reaped does not: where nobody reaps
 * (a container's process 1 often does not) it would seem to live for ever.
 */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, as somebody else.
    if (errorCode(error) !== 'EPERM') {
      return false
    }
  }
  if (!onLinux) {
    return true
  }
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The state follows the name, which stands in brackets and may itself hold any.
  const state = line.slice(line.lastIndexOf(')') + 2)[0]
  return state !== 'Z' && state !== 'X'
}

/**
 * Whether `pid` is the server of the database in `cluster`, and not a stranger that was given its
 * number. `name` is the cluster_name we start our servers with.
 */
export async function isServerOf(pid: number, cluster: string, name: string): Promise<boolean> {
  if (!(await isAlive(pid))) {
    return false
  }
  if (!onLinux) {
    return calledAs(await commandByPs(pid), name)
  }
  try {
    const program = await readlink(`/proc/${pid}/exe`)
    // The kernel adds " (deleted)" when an update has replaced the file.
    if (basename(program.replace(/ \(deleted\)$/, '')) !== 'postgres') {
      return false
    }
    const [at, wanted] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(cluster)])
    return at.dev === wanted.dev && at.ino === wanted.ino
  } catch (error) {
    // Ended meanwhile.
    if (!['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) {
      return false
    }
  }
  // Root in a container may not look at another user's process so closely; its arguments are public.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return calledAs(command.replaceAll('\0', ' '), name)
}

function calledAs(command: string, name: string): boolean {
  const [program = ''] = command.split(' ', 1)
  return basename(program) === 'postgres' && command.includes(`cluster_name=${name}`)
}

async function commandByPs(pid: number): Promise<string> {
  const self = { uid: 0, gid: 0, switched: false }
  const ended = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)], self, '/')
  return ended.kind === 'exited' ? ended.out.trim() : ''
}
