import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it as test } from 'vitest'
import { newAgent, newPlatform, startService } from '../../test/support/service.ts'
import { VERSION } from '../src/version.ts'
import { compile, createProject } from './project.ts'
import { DECLARATIONS, snippetsOf } from './snippets.ts'

const at = await startService()
const project = await createProject('file')
const { agent } = await newAgent(at)
const { platform } = await newPlatform(at)

const SCRIPT = `
  const [baseUrl, apiKey, id] = process.argv.slice(2)
  const client = new Standing({ baseUrl, apiKey })
  const report = await client.events.report(id, [{ type: 'task.completed' }])
  const { agentId } = await client.score.get(id)
  console.log(JSON.stringify([report.accepted, agentId === id]))`

describe('the package, installed from its file', () => {
  const args = [at.url, platform.apiKey, agent.id]

  test('is imported by an ES module on plain Node', async () => {
    await project.write('import.js', `import { Standing } from '@standing/sdk'\n${SCRIPT}`)
    expect(JSON.parse(await project.node('import.js', args))).toEqual([1, true])
  })

  test('is required by a CommonJS file on plain Node', async () => {
    const require = `const { Standing } = require('@standing/sdk')`
    await project.write('require.cjs', `${require}\n;(async () => {${SCRIPT}\n})()`)
    expect(JSON.parse(await project.node('require.cjs', args))).toEqual([1, true])
  })

  test('is imported in a browser, without a process object', async () => {
    const code = `
      const [, , baseUrl, , id] = process.argv
      delete globalThis.process
      const { Standing } = await import('@standing/sdk')
      const { agentId } = await new Standing().with({ baseUrl }).score.get(id)
      console.log(agentId)`
    await project.write('browser.js', code)
    expect(await project.node('browser.js', args)).toBe(`${agent.id}\n`)
  })

  test('has its code, types and README, no dependency, and its own version', async () => {
    const installed = join(project.folder, 'node_modules/@standing/sdk')
    const files = await readdir(installed, { recursive: true, withFileTypes: true })
    const names = files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name).slice(installed.length + 1))
    expect(names).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts']))
    const allowed = /^(package\.json|README\.md|dist\/.*\.(js|d\.c?ts))$/
    expect(names.filter((name) => !allowed.test(name))).toEqual([])
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    expect(manifest.version).toBe(VERSION)
    expect(manifest).not.toHaveProperty('dependencies')
    // The files that a script of the checkout would run are not in it.
    expect(manifest).not.toHaveProperty('scripts')
  })
})

const TYPES = `
  const client = new Standing({ baseUrl: 'http://127.0.0.1', apiKey: process.env.KEY })
  const event: EventInput = { type: 'payment.completed', data: { amount: 1, currency: 'EUR' } }
  export async function use(): Promise<number> {
    const { accepted, errors } = await client.events.report('id', [event])
    for (const { index, message } of errors ?? []) message.at(index)
    for await (const { score } of client.score.getHistory('id')) score.toFixed()
    const score: number | undefined = (await client.score.getBatch(['id'])).get('id')?.score
    const { displayName, metadata } = await client.agents.get('id')
    const team: unknown = metadata?.['team'] ?? displayName
    const body = await verifyWebhookSignature('', new Headers(), process.env.WEBHOOK_SECRET)
    return body.type === 'score.changed' ? body.data.newScore : accepted + (score ?? Number(team))
  }
  // @ts-expect-error a task has no amount: the types are there, and not any
  export const wrong: EventInput = { type: 'task.failed', data: { amount: 1 } }
  export const isOurs = (error: unknown) => error instanceof StandingError && error.code
  export class Mine extends Standing {}
  declare const process: { readonly env: Record<string, string | undefined> }`

const IMPORT = `
  import { Standing, StandingError, verifyWebhookSignature, type EventInput } from '@standing/sdk'`

/** The snippets of the README, each a file. */
const README = {
  'given.d.ts': DECLARATIONS,
  ...Object.fromEntries(snippetsOf('sdk/README.md').map((code, n) => [`snippet-${n}.ts`, code])),
}

// A compiler takes seconds on an idle machine, and many on a busy one.
const COMPILE_MS = 120_000

describe('a strict project compiles with the types of the package', { timeout: COMPILE_MS }, () => {
  const files = (type: string) => ({
    'main.ts': IMPORT + TYPES,
    'package.json': JSON.stringify({ type }),
  })

  test('as an ES module, with the declarations of the package and the snippets of its README', async () => {
    const all = { ...files('module'), ...README }
    // TypeScript's own declarations are not the subject, and take most of the time.
    const options = { module: 'nodenext', skipLibCheck: false, skipDefaultLibCheck: true }
    expect(await compile(project, 'module', all, options)).toBe('nothing')
  })

  test('for a bundler', async () => {
    const options = { module: 'esnext', moduleResolution: 'bundler' }
    expect(await compile(project, 'bundler', files('module'), options)).toBe('nothing')
  })

  test('as CommonJS', async () => {
    const options = { module: 'node16' }
    expect(await compile(project, 'commonjs', files('commonjs'), options)).toBe('nothing')
  })
})
