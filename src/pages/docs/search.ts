import { LOG_TYPES } from '../../domain/event.ts'
import { docUrlOf, ERROR_GUIDE } from '../../http/error-guide.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import { renderGuide } from './guide-page.ts'
import { docsNav } from './nav.ts'
import { type DocsSite, referencePath } from './site.ts'

/** A place in the documentation that can be found. */
interface Indexed {
  readonly kind: string
  readonly title: string
  readonly href: string
  readonly text: string
}

/** The places that hold every word of a query, the best first. */
export type Search = (query: string) => readonly Indexed[]

/** One page of results, without further pages. */
const RESULTS_MAX = 30
const QUERY_CHARS_MAX = 100

/** The weight of a match in a title, relative to the text below it. */
const TITLE_POINTS = 10
const WHOLE_TITLE_POINTS = 100

/** An index in memory of some hundred places: a query reads a quarter of a megabyte. */
export function createSearch(site: DocsSite): Search {
  const places = [...operations(site), ...eventTypes(site), ...errors(site), ...guides(site)]
  const index = places.map((place) => ({
    place,
    title: place.title.toLowerCase(),
    text: place.text.toLowerCase(),
  }))
  return (query) => {
    const whole = query.slice(0, QUERY_CHARS_MAX).trim().toLowerCase()
    const words = whole.split(/\s+/).filter((word) => word !== '')
    if (words.length === 0) {
      return []
    }
    return index
      .flatMap(({ place, title, text }) => {
        const points = words.map((word) =>
          title.includes(word) ? TITLE_POINTS : Number(text.includes(word)),
        )
        const isFound = points.every((one) => one > 0)
        const sum = points.reduce((all, one) => all + one, 0)
        const isWhole = title === whole || title.split(' ').includes(whole)
        return isFound ? [{ place, points: sum + (isWhole ? WHOLE_TITLE_POINTS : 0) }] : []
      })
      .sort((a, b) => b.points - a.points)
      .slice(0, RESULTS_MAX)
      .map(({ place }) => place)
  }
}

export function searchPage(site: DocsSite, search: Search, query: string): Page {
  const found = search(query)
  const none =
    query.trim() === ''
      ? 'Type a word: a path, an event type, an error code, a setting.'
      : 'Nothing was found. Try another word, or fewer of them.'
  return {
    title: `${site.document.info.title}: search`,
    nav: docsNav(site, { current: '/docs/search', query }),
    body: html`<h1>Search</h1>
${found.length === 0 ? html`<p>${none}</p>` : html`<ol class="results">${found.map(resultOf)}</ol>`}`,
  }
}

/** Enough of the text to see what it is about. */
const SNIPPET_CHARS = 160

function resultOf({ kind, title, href, text }: Indexed) {
  const snippet = text.length > SNIPPET_CHARS ? `${text.slice(0, SNIPPET_CHARS)}…` : text
  return html`<li><a href="${href}">${title}</a> <span class="type">${kind}</span><p class="quiet">${snippet}</p></li>`
}

function operations(site: DocsSite): readonly Indexed[] {
  return site.groups.flatMap((group) =>
    group.entries.map(({ method, path, operation }) => ({
      kind: group.name,
      title: `${method.toUpperCase()} ${path}`,
      href: referencePath(site, group, operation.operationId),
      text: `${operation.summary}. ${operation.operationId}. ${operation.description ?? ''}`.replaceAll(
        '`',
        '',
      ),
    })),
  )
}

function eventTypes({ basePath, document }: DocsSite): readonly Indexed[] {
  const types = Object.entries(LOG_TYPES).map(([type, { dimension, impact }]) => ({
    kind: 'Event type',
    title: type,
    href: `${basePath}/docs/event-types#${type}`,
    text: `An event of the ${dimension} dimension, ${impact}.`,
  }))
  const notifications = Object.entries(document.webhooks).map(([type, { post }]) => ({
    kind: 'Notification',
    title: type,
    href: `${basePath}/docs/reference/webhooks#${type}`,
    text: post?.summary ?? '',
  }))
  return [...types, ...notifications]
}

function errors({ basePath }: DocsSite): readonly Indexed[] {
  return (Object.keys(ERROR_GUIDE) as (keyof typeof ERROR_GUIDE)[]).map((code) => ({
    kind: 'Error',
    title: code,
    href: basePath + docUrlOf(code),
    text: `${ERROR_GUIDE[code].meaning} ${ERROR_GUIDE[code].remedy}`.replaceAll('`', ''),
  }))
}

function guides(site: DocsSite): readonly Indexed[] {
  return site.guides.flatMap((guide) =>
    renderGuide(site, guide).sections.map(({ id, title, text }) => ({
      kind: guide.title,
      title,
      href: `${site.basePath}/docs/${guide.name}#${id}`,
      text,
    })),
  )
}
