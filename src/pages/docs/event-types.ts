import {
  EVENT_TYPES,
  OWN_TYPES,
  type OwnType,
  REPORTED_TYPES,
  type ReportedType,
} from '../../domain/event.ts'
import { type Html, html, jsonBlock } from '../html.ts'
import type { Page } from '../layout.ts'
import { fields } from './fields.ts'
import { docsNav } from './nav.ts'
import type { DocsSite } from './site.ts'

const OWN = Object.keys(OWN_TYPES) as readonly OwnType[]

/** Every event type by its name, with its fields and an example. */
export function eventTypesPage(site: DocsSite): Page {
  const { document, basePath } = site
  const sections = [...REPORTED_TYPES, ...OWN].map((type) => ({
    id: type,
    title: html`<code>${type}</code>`,
  }))
  return {
    title: `${document.info.title}: event types`,
    nav: docsNav(site, { current: '/docs/event-types', sections }),
    body: html`<h1>Event types</h1>
<p>What can be reported about an agent: by a platform with
<a href="${basePath}/docs/reference/events#reportEvent"><code>POST /v1/agents/{id}/events</code></a>, by the agent
itself with <a href="${basePath}/docs/reference/events#reportOwnEvent"><code>POST /v1/events</code></a> at a tenth of
the weight. Every field of <code>data</code> may be left out; a field of another type is refused.</p>
${REPORTED_TYPES.map((type) => section(site, type))}
<section><h2>Recorded by the service</h2>
<p>When an agent <a href="${basePath}/docs/continuity">comes into other hands, or acts for another one</a>, or when the
operator discards what a platform reported, the service itself adds events to its log. Such an event cannot be
reported.</p></section>
${OWN.map((type) => ownSection(site, type))}`,
  }
}

function section({ document }: DocsSite, type: ReportedType): Html {
  const { dimension, impact, data } = EVENT_TYPES[type]
  const schema = dataSchema(data)
  const example = exampleOf(document, schema)
  return html`<article id="${type}"><div><h2><a href="#${type}"><code>${type}</code></a></h2>
<p>${IMPACTS[impact]} the <strong>${dimension}</strong> dimension.</p>
${fields(document, { $ref: `#/components/schemas/${schema}` })}</div>
<aside>${jsonBlock({ type, data: example, externalId: `${data}-4711` })}</aside></article>`
}

function ownSection({ document }: DocsSite, type: OwnType): Html {
  const { dimension, impact, data } = OWN_TYPES[type]
  return html`<article id="${type}"><div><h3><a href="#${type}"><code>${type}</code></a></h3>
<p>${OWN_MEAN[type]} It concerns the <strong>${dimension}</strong> dimension, and is listed as ${impact}.</p>
${fields(document, { $ref: `#/components/schemas/${dataSchema(data)}` })}</div></article>`
}

const OWN_MEAN: Readonly<Record<OwnType, string>> = {
  'agent.transferred': 'The agent passed to another owner.',
  'agent.succeeded': 'The agent took over the record of its predecessor.',
  'agent.limited':
    'The score of its parent limits the agent from then on, or, before its first report, a worse agent of its owner.',
  'reports.discarded':
    'The operator discarded what a platform had reported on the agent. Later reports of the platform count.',
  'child.work_failed': 'A platform reported failed work of an agent that acts for this one.',
  'child.payment_failed':
    'A platform reported a failed, late or disputed payment of an agent that acts for this one.',
}

const IMPACTS = { positive: 'Raises', negative: 'Lowers' } as const

/** The schema of the data, as the document names it: `TaskData`. */
function dataSchema(kind: string): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Data`
}

/** The data of the example that the document has for events with such data. */
function exampleOf({ components }: DocsSite['document'], schema: string): unknown {
  const input = components.schemas[schema.replace(/Data$/, 'EventInput')]
  return (input?.example as { readonly data?: unknown } | undefined)?.data ?? {}
}
