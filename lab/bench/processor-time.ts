import { readFileSync } from 'node:fs'

/** The kernel counts processor time in hundredths of a second. */
const TICK_US = 10_000

/** Processor time that a process has used; null where there is no /proc. */
export function cpuUs(pid: number | string): number | null {
  const fields = statOf(pid)
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_US
}

/** Of a process, its children, and those of them that have ended. */
export function familyUs(pid: number): number | null {
  const parent = statOf(pid)
  const children = textOf(`/proc/${pid}/task/${pid}/children`)?.match(/\d+/g) ?? []
  if (!parent) {
    return null
  }
  const ended = (Number(parent[13]) + Number(parent[14])) * TICK_US
  return children.reduce((sum, child) => sum + (cpuUs(child) ?? 0), ended + (cpuUs(pid) ?? 0))
}

/** The fields behind the process's name: its state first, then its parent. */
function statOf(pid: number | string): readonly string[] | null {
  return (
    textOf(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ') ?? null
  )
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
