import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll } from 'vitest'

const run = promisify(execFile)

export interface Project {
  readonly folder: string
  write(name: string, text: string): Promise<string>
  /** Runs a module of the project; a failure rejects. */
  node(
    name: string,
    args?: readonly string[],
    env?: Record<string, string>,
    flags?: readonly string[],
  ): Promise<string>
  /** Starts one. */
  start(name: string, args?: readonly string[]): ChildProcessByStdio<null, Readable, null>
}

/**
 * A project outside the checkout: with the package installed from the file that `npm pack` makes, or
 * with its files alone, for what needs no install.
 */
export async function createProject(from: 'file' | 'code'): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'standing-consumer-'))
  afterAll(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  if (from === 'file') {
    await install(folder)
  } else {
    await build(join(folder, 'node_modules/@standing/sdk'))
  }
  return {
    folder,
    async write(name, text) {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    },
    async node(name, args = [], env = {}, flags = []) {
      const options = { cwd: folder, env }
      return (await run(process.execPath, [...flags, name, ...args], options)).stdout
    },
    start: (name, args = []) =>
      spawn(process.execPath, [name, ...args], {
        cwd: folder,
        env: {},
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
  }
}

/** As `npm ci` has built it; built again when a source has changed since. */
async function build(out: string): Promise<void> {
  await mkdir(out, { recursive: true })
  for (const name of ['package.json', 'README.md']) {
    await cp(`sdk/${name}`, join(out, name))
  }
  await run(process.execPath, ['sdk/build.mjs'])
  await cp('sdk/dist', join(out, 'dist'), { recursive: true })
}

async function install(folder: string): Promise<void> {
  const packed = join(folder, 'packed')
  await build(packed)
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: packed })
  const file = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  const quietly = ['--offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...quietly, `./${file}`], { cwd: folder })
}

const STRICT = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: [],
}

/** The compiler's own declarations, read once: they take most of the time. */
const libraries = new Map<string, ts.SourceFile | undefined>()

/** What the compiler says of the files in a folder of the project. */
export async function compile(
  project: Project,
  folder: string,
  files: Readonly<Record<string, string>>,
  compilerOptions: object,
): Promise<string> {
  const home = join(project.folder, folder)
  await mkdir(home, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(home, name), text)
  }
  const sources = Object.keys(files).filter((name) => /\.[cm]?ts$/.test(name))
  const config = { compilerOptions: { ...STRICT, ...compilerOptions }, files: sources }
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, home)
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getSourceFile = (name, version, ...rest) => {
    if (!/\/typescript\/lib\/lib\./.test(name)) {
      return read(name, version, ...rest)
    }
    if (!libraries.has(name)) {
      libraries.set(name, read(name, version, ...rest))
    }
    return libraries.get(name)
  }
  const program = ts.createProgram(fileNames, options, host)
  const problems = [...errors, ...ts.getPreEmitDiagnostics(program)]
  return problems.length === 0 ? 'nothing' : ts.formatDiagnostics(problems, host)
}
