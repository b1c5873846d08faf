/** What the router needs to know about a route. */
export interface Routable {
  readonly method: string
  /** With its parameters in braces: `/v1/agents/{id}`; a last one `{path*}` takes all the rest. */
  readonly path: string
}

/** What there is at a path. */
export interface Match<R> {
  /** The route for the method; null when the path exists and does not take it. */
  readonly route: R | null
  readonly params: Readonly<Record<string, string>>
  /** Every method that the path takes. */
  readonly methods: ReadonlyMap<string, Target<R>>
}

/** Finds the routes at a path, as it was sent; null when there are none. */
export type Router<R> = (method: string, path: string) => Match<R> | null

export interface Target<R> {
  readonly route: R
  /** The names of the parameters of its path, in their order. */
  readonly params: readonly string[]
}

/** A tree of the segments of all paths. */
interface Node<R> {
  readonly literals: Map<string, Node<R>>
  param: Node<R> | null
  /** Matches the rest of the path, of any number of segments. */
  rest: Node<R> | null
  readonly targets: Map<string, Target<R>>
}

export function createRouter<R extends Routable>(routes: readonly R[]): Router<R> {
  const root = newNode<R>()
  for (const route of routes) {
    add(root, route)
  }
  return (method, path) => {
    const values: string[] = []
    const node = find(root, path, 1, values)
    if (!node) {
      return null
    }
    const { route, params: names } = node.targets.get(method) ?? NO_TARGET
    const params: Record<string, string> = {}
    for (const [i, name] of names.entries()) {
      params[name] = decode(values[i] ?? '')
    }
    return { route, params, methods: node.targets }
  }
}

const NO_TARGET = { route: null, params: [] } as const

function newNode<R>(): Node<R> {
  return { literals: new Map(), param: null, rest: null, targets: new Map() }
}

function add<R extends Routable>(root: Node<R>, route: R): void {
  const segments = route.path.slice(1).split('/')
  const node = segments.reduce(descend, root)
  const params = segments.filter(isParam).map((segment) => segment.replace(/^\{(\w+)\*?\}$/, '$1'))
  const method = route.method.toUpperCase()
  node.targets.set(method, { route, params })
  // A HEAD is served as a GET; Node sends no body for it.
  if (method === 'GET') {
    node.targets.set('HEAD', { route, params })
  }
}

function descend<R>(node: Node<R>, segment: string): Node<R> {
  if (segment.endsWith('*}')) {
    node.rest ??= newNode()
    return node.rest
  }
  if (isParam(segment)) {
    node.param ??= newNode()
    return node.param
  }
  const next = node.literals.get(segment) ?? newNode()
  node.literals.set(segment, next)
  return next
}

/**
 * Walks down from the segment at `start` and collects the values of parameters. A literal segment
 * wins over a parameter: `/v1/agents/me` is not the agent with the id `me`.
 */
function find<R>(node: Node<R>, path: string, start: number, values: string[]): Node<R> | null {
  if (start > path.length) {
    return node.targets.size > 0 ? node : null
  }
  const slash = path.indexOf('/', start)
  const end = slash < 0 ? path.length : slash
  const segment = path.slice(start, end)
  const literal = node.literals.get(decode(segment))
  const found = literal ? find(literal, path, end + 1, values) : null
  if (found) {
    return found
  }
  if (node.param && segment !== '') {
    values.push(segment)
    const matched = find(node.param, path, end + 1, values)
    if (matched) {
      return matched
    }
    values.pop()
  }
  if (node.rest) {
    values.push(path.slice(start))
  }
  return node.rest
}

function isParam(segment: string): boolean {
  return segment.startsWith('{')
}

function decode(segment: string): string {
  if (!segment.includes('%')) {
    return segment
  }
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
