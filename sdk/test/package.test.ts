import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAgent, newPlatform, startService } from '../../test/support/service.ts'
import { VERSION } from '../src/version.ts'

const run = promisify(execFile)
const at = await startService()

/** A project of somebody else's, with the package as npm would unpack it. */
const project = await mkdtemp(join(tmpdir(), 'standing-consumer-'))
const installed = join(project, 'node_modules/@standing/sdk')
afterAll(() => rm(project, { recursive: true }))

beforeAll(async () => {
  await mkdir(installed, { recursive: true })
  await cp('sdk/package.json', join(installed, 'package.json'))
  await cp('sdk/README.md', join(installed, 'README.md'))
  await run(process.execPath, ['sdk/build.mjs', join(installed, 'dist')])
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
})

it('the package runs on plain Node, outside the checkout', async () => {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const script = `
    import { Standing } from '@standing/sdk'
    const [baseUrl, apiKey, id] = process.argv.slice(2)
    const standing = new Standing({ baseUrl, apiKey })
    const report = await standing.events.report(id, [{ type: 'task.completed' }])
    const { eventCount } = await standing.score.get(id)
    console.log(JSON.stringify([report.accepted, eventCount]))`
  await writeFile(join(project, 'script.js'), script)
  const args = ['script.js', at.url, platform.apiKey, agent.id]
  const { stdout } = await run(process.execPath, args, { cwd: project })
  expect(JSON.parse(stdout)).toEqual([1, 1])
})

it.concurrent.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])(
  'a strict project of module %s and resolution %s compiles with its types',
  async (module, moduleResolution) => {
    const code = `
    import { Standing, StandingError, verifyWebhook, type EventInput } from '@standing/sdk'
    const standing = new Standing({ baseUrl: 'http://127.0.0.1', apiKey: process.env.KEY })
    const event: EventInput = { type: 'payment.completed', data: { amount: 1, currency: 'EUR' } }
    export const accepted: number = (await standing.events.report('id', [event])).accepted
    for await (const { score } of standing.score.getHistory('id')) score.toFixed()
    const notice = await verifyWebhook('', new Headers(), process.env.WEBHOOK_SECRET)
    export const told: number = notice.type === 'score.changed' ? notice.data.newScore : 0
    // @ts-expect-error a task has no amount: the types are there, and not any
    export const wrong: EventInput = { type: 'task.failed', data: { amount: 1 } }
    export const isOurs = (error: unknown) => error instanceof StandingError && error.code
    declare const process: { readonly env: Record<string, string | undefined> }`
    const folder = join(project, moduleResolution)
    await mkdir(folder)
    await writeFile(join(folder, 'main.ts'), code)
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2022', 'dom'],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    }
    const config = JSON.stringify({ compilerOptions, files: ['main.ts'] })
    await writeFile(join(folder, 'tsconfig.json'), config)
    const said = await run(process.execPath, [
      'node_modules/typescript/bin/tsc',
      '-p',
      folder,
    ]).then(
      () => 'nothing',
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(said).toBe('nothing')
  },
)

it('the package carries what it needs, and knows its version', async () => {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout } = await run('npm', pack, { cwd: installed })
  const files: readonly string[] = JSON.parse(stdout)[0].files.map(
    ({ path }: { path: string }) => path,
  )
  expect(files).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts']))
  const other = files.filter(
    (path) => !/^(package\.json|README\.md|dist\/.*\.(js|d\.ts))$/.test(path),
  )
  expect(other).toEqual([])
  expect(JSON.parse(await readFile('sdk/package.json', 'utf8')).version).toBe(VERSION)
})
