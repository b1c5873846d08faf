import type { Document, Operation } from './document.ts'
import { type Guide, type GuideFiles, guidesOf } from './guides.ts'

/** What every page of the documentation is made from. */
export interface DocsSite {
  readonly document: Document
  readonly basePath: string
  readonly baseUrl: string
  readonly guides: readonly Guide[]
  readonly groups: readonly TagGroup[]
}

/** The operations of one tag, which have a page of their own. */
export interface TagGroup {
  readonly name: string
  /** Its address: `/docs/reference/agents`. */
  readonly slug: string
  readonly description: string
  readonly entries: readonly Entry[]
}

export interface Entry {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

export interface SiteOptions {
  readonly document: Document
  readonly files: GuideFiles
  readonly basePath: string
  readonly baseUrl: string
}

export function createSite({ document, files, basePath, baseUrl }: SiteOptions): DocsSite {
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Entry => ({ path, method, operation })),
  )
  const groups = document.tags.map(({ name, description }) => ({
    name,
    slug: name.toLowerCase().replaceAll(/\W+/g, '-'),
    description,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }))
  return { document, basePath, baseUrl, guides: guidesOf(files, baseUrl), groups }
}

export function referencePath({ basePath }: DocsSite, { slug }: TagGroup, id = ''): string {
  return `${basePath}/docs/reference/${slug}${id === '' ? '' : `#${id}`}`
}
