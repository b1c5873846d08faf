// What the files of deploy/ say to run, for checks that run it without Docker and without systemd.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './fresh.mjs'

const textOf = (path) => readFileSync(join(root, 'deploy', path), 'utf8')

/** The two stages of the image: what builds it, and how it runs. */
export function image() {
  const instructions = textOf('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
      return { name, rest }
    })
  const second = instructions.findLastIndex(({ name }) => name === 'FROM')
  const last = (name) => instructions.findLast((one) => one.name === name)?.rest ?? ''
  const words = (name) => JSON.parse(/\[.*\]$/.exec(last(name))?.[0] ?? '[]')
  const [uid, gid] = last('USER').split(':').map(Number)
  return {
    instructions,
    /** The paths of the checkout that the build copies. */
    sources: instructions
      .slice(0, second)
      .flatMap(({ name, rest }) => (name === 'COPY' ? rest.split(' ').slice(0, -1) : [])),
    build: instructions
      .slice(0, second)
      .flatMap(({ name, rest }) => (name === 'RUN' ? [rest] : [])),
    env: assignments(last('ENV')),
    user: { uid, gid },
    entrypoint: words('ENTRYPOINT'),
    healthcheck: words('HEALTHCHECK'),
    stopSignal: last('STOPSIGNAL'),
  }
}

/** The settings of the systemd unit that say what runs. */
export function unit() {
  const text = textOf('standing.service')
  const settingOf = (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
  return {
    home: settingOf('WorkingDirectory'),
    env: assignments(settingOf('Environment')),
    start: settingOf('ExecStart').split(' '),
  }
}

/** `A=b C=d` as an object. */
function assignments(text) {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  )
}
