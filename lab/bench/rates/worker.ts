import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A process of the bench with one job, which it gets in messages. */
export interface Worker {
  readonly pid: number
  ask<Answer>(task: unknown): Promise<Answer>
  end(): Promise<void>
}

/** Starts this same program in the role named. */
export function startWorker(role: string): Worker {
  const child = fork(process.argv[1] ?? '', ['--role', role], { serialization: 'advanced' })
  const exited = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    async ask<Answer>(task: unknown) {
      const answered = once(child, 'message') as Promise<[{ answer: Answer } | { error: string }]>
      child.send(task as object)
      const [message] = await Promise.race([answered, exited])
      if (typeof message !== 'object' || message === null) {
        throw new Error(`the ${role} of the bench ended`)
      }
      if ('error' in message) {
        throw new Error(message.error)
      }
      return message.answer
    },
    async end() {
      if (child.connected) {
        child.disconnect()
      }
      await exited
    },
  }
}

/** Runs a measurement; in a process that `startWorker` started, the role of that. */
export async function runAs(
  roles: Readonly<Record<string, () => void>>,
  main: () => Promise<void>,
): Promise<void> {
  const at = process.argv.indexOf('--role')
  const role = at < 0 ? undefined : roles[process.argv[at + 1] ?? '']
  await (role ?? main)()
}

/** The other end: does each task that it gets, until the other end disconnects. */
export function serveTasks<Task>(work: (task: Task) => Promise<unknown>): void {
  process.on('disconnect', () => process.exit(0))
  process.on('message', (task) => {
    work(task as Task).then(
      (answer) => process.send?.({ answer }),
      (error: unknown) => process.send?.({ error: String((error as Error).stack ?? error) }),
    )
  })
}
