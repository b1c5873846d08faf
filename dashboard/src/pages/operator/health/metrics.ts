/** One sample of the Prometheus text format. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Metrics {
  readonly samples: readonly Sample[]
  /** What each metric is, in the service's own words. */
  readonly help: ReadonlyMap<string, string>
}

/** The samples of a scrape; buckets of histograms are left out. */
export function parseMetrics(text: string): Metrics {
  const help = new Map<string, string>()
  const samples: Sample[] = []
  for (const line of text.split('\n')) {
    const described = /^# HELP (\S+) (.*)$/.exec(line)
    if (described) {
      help.set(described[1] ?? '', described[2] ?? '')
    }
    const sample = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)/i.exec(line)
    if (!sample || sample[1]?.endsWith('_bucket')) {
      continue
    }
    const [, name = '', labels = '', value] = sample
    samples.push({ name, labels: labelsOf(labels), value: Number(value) })
  }
  return { samples, help }
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  const pairs = [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value]))
}

export interface OperationFigures {
  readonly operation: string
  readonly count: number
  readonly errors: number
  readonly meanMs: number
}

/** How often each operation was asked, how often it said no, and how long it took. */
export function operationsOf({ samples }: Metrics): readonly OperationFigures[] {
  const names = [...new Set(samples.map(({ labels }) => labels.operation ?? ''))].filter(Boolean)
  const sum = (name: string, fits: (labels: Sample['labels']) => boolean) =>
    samples
      .filter((sample) => sample.name === name && fits(sample.labels))
      .reduce((total, { value }) => total + value, 0)
  return names
    .map((operation) => {
      const isIt = (labels: Sample['labels']) => labels.operation === operation
      const isError = (labels: Sample['labels']) =>
        isIt(labels) && Number(labels.status) >= FIRST_ERROR
      const count = sum('standing_requests_total', isIt)
      const seconds = sum('standing_request_seconds_sum', isIt)
      return {
        operation,
        count,
        errors: sum('standing_requests_total', isError),
        meanMs: count === 0 ? 0 : (seconds / count) * 1000,
      }
    })
    .sort((a, b) => b.count - a.count)
}

const FIRST_ERROR = 400

/** The service's own single figures: no histograms, nothing of the runtime. */
export function figuresOf({ samples, help }: Metrics): readonly {
  readonly label: string
  readonly value: number
}[] {
  return samples
    .filter(
      ({ name }) => name.startsWith('standing_') && !/^standing_request|_(sum|count)$/.test(name),
    )
    .map(({ name, labels, value }) => {
      const parts = Object.values(labels).join(', ')
      return { label: `${help.get(name) ?? name}${parts ? `: ${parts}` : ''}`, value }
    })
}
