import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorCode } from './error.ts'
import { type Paths, serverName } from './paths.ts'
import { run } from './run.ts'

const onLinux = process.platform === 'linux'

/**
 * Whether a process runs. One that has ended and was not reaped does not: where process 1 does not
 * reap, as in many containers, it would seem to run for ever.
 */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs as another user.
    if (errorCode(error) !== 'EPERM') {
      return false
    }
  }
  if (!onLinux) {
    return true
  }
  const { state } = await statOf(pid)
  return state !== 'Z' && state !== 'X'
}

/** By the kernel; both undefined where the process has ended. */
async function statOf(
  pid: number,
): Promise<{ readonly state?: string | undefined; readonly parent?: string | undefined }> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // They follow the name, which is in brackets and may contain brackets itself.
  const [state, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return { state, parent }
}

/** Whether `pid` is the server of this cluster, and not another process that got its number. */
export async function isServerOf(pid: number, paths: Paths): Promise<boolean> {
  if (!(await isAlive(pid))) {
    return false
  }
  if (!onLinux) {
    return isCommandOf(await commandByPs(pid), paths)
  }
  try {
    const program = await readlink(`/proc/${pid}/exe`)
    // The kernel adds " (deleted)" when an update has replaced the file.
    if (basename(program.replace(/ \(deleted\)$/, '')) !== 'postgres') {
      return false
    }
    const [cwd, own] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(paths.cluster)])
    return cwd.dev === own.dev && cwd.ino === own.ino
  } catch (error) {
    // Any other error: the process has ended meanwhile.
    if (!['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) {
      return false
    }
  }
  // Root in a container may not inspect another user's process; its arguments are public.
  return isCommandOf(await commandByProc(pid), paths)
}

/** Whether the server `pid` has a process that replays its log. */
export async function isReplaying(pid: number): Promise<boolean> {
  const commands = onLinux ? await childrenByProc(pid) : await childrenByPs(pid)
  return commands.some((command) => /^postgres: .*\bstartup\b/.test(command))
}

async function childrenByProc(parent: number): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  return Promise.all(
    pids.map(async (pid) => {
      const stat = await statOf(pid)
      return stat.parent === String(parent) ? commandByProc(pid) : ''
    }),
  )
}

/** Empty where the process has ended. */
async function commandByProc(pid: number): Promise<string> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return words.replaceAll('\0', ' ')
}

async function childrenByPs(parent: number): Promise<readonly string[]> {
  const lines = (await ps(['-A', '-o', 'ppid=,command='])).split('\n').map((line) => line.trim())
  return lines
    .filter((line) => Number(line.split(' ')[0]) === parent)
    .map((line) => line.slice(line.indexOf(' ') + 1))
}

function isCommandOf(command: string, paths: Paths): boolean {
  const [program = ''] = command.split(' ', 1)
  return basename(program) === 'postgres' && command.includes(`cluster_name=${serverName(paths)}`)
}

async function commandByPs(pid: number): Promise<string> {
  return (await ps(['-o', 'command=', '-p', String(pid)])).trim()
}

async function ps(args: readonly string[]): Promise<string> {
  const ended = await run('ps', ['-ww', ...args], { uid: 0, gid: 0, switched: false }, '/')
  return ended.kind === 'exited' ? ended.out : ''
}
