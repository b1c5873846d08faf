/** The Markdown of the guides and their pictures, by the path in the repository. */
export type GuideFiles = ReadonlyMap<string, Uint8Array>

/** A page for people about one subject. */
export interface Guide {
  /** Its address: `/docs/scoring`. */
  readonly name: string
  readonly title: string
  readonly group: string
  readonly markdown: string
}

/** The guides in the order in which they are listed; those that are not here come last. */
const GROUPS: readonly (readonly [group: string, names: readonly string[]])[] = [
  [
    'Guides',
    [
      'start',
      'marketplace',
      'gate',
      'test-mode',
      'thresholds',
      'reviews',
      'scoring',
      'decisions',
      'webhooks',
      'credentials',
      'identifiers',
      'continuity',
      'cli',
      'mcp',
    ],
  ],
  ['Operate', ['operating', 'scale', 'dashboard', 'accounts', 'import', 'reliability', 'security']],
]

const LAST_GROUP = 'Background'

/** The address that the guides are written with; the pages show the service's own in its place. */
const WRITTEN_URL = 'http://127.0.0.1:8080'

const README = 'README.md'

export function guidesOf(files: GuideFiles, baseUrl: string): readonly Guide[] {
  const known = GROUPS.flatMap(([, names]) => names)
  const all = [...files].flatMap(([path, bytes]) => {
    const name = path === README ? 'start' : /^docs\/([\w-]+)\.md$/.exec(path)?.[1]
    return name === undefined ? [] : [guideOf(name, Buffer.from(bytes).toString(), baseUrl)]
  })
  const place = ({ name }: Guide) => (known.includes(name) ? known.indexOf(name) : known.length)
  return all.sort((a, b) => place(a) - place(b) || a.title.localeCompare(b.title))
}

function guideOf(name: string, text: string, baseUrl: string): Guide {
  // The README links to the guides from the folder above theirs.
  const near = name === 'start' ? text.replaceAll('](docs/', '](') : text
  const markdown = near.replaceAll('](../README.md', '](start.md').replaceAll(WRITTEN_URL, baseUrl)
  const heading = /^# (.+)$/m.exec(markdown)?.[1] ?? name
  const title = name === 'start' ? 'Start' : heading.replaceAll('`', '')
  const group = GROUPS.find(([, names]) => names.includes(name))?.[0] ?? LAST_GROUP
  return { name, title, group, markdown }
}
