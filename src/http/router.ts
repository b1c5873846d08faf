import type { Route } from './route.ts'

/** What there is at a path. */
export interface Found {
  /** Who answers the method asked for; null where nobody does. */
  readonly route: Route | null
  /** What stands in the path where the route has places. */
  readonly params: Record<string, string>
  readonly methods: ReadonlyMap<string, { readonly route: Route }>
}

/** Finds what there is at a path, as it came with the request; null where there is nothing. */
export type Router = (method: string, path: string) => Found | null

/** A tree of the segments of all paths. */
interface Branch {
  readonly named: Map<string, Branch>
  place: Branch | null
  readonly routes: Map<string, Operation>
}

interface Operation {
  readonly route: Route
  /** The names of its places, in their order. */
  readonly places: readonly string[]
}

export function createRouter(routes: readonly Route[]): Router {
  const root = newBranch()
  for (const route of routes) {
    add(root, route)
  }
  return (method, path) => {
    const values: string[] = []
    const branch = find(root, path, 1, values)
    if (!branch) {
      return null
    }
    const { route, places } = branch.routes.get(method) ?? NOBODY
    const params: Record<string, string> = {}
    for (const [i, name] of places.entries()) {
      params[name] = decode(values[i] ?? '')
    }
    return { route, params, methods: branch.routes }
  }
}

const NOBODY = { route: null, places: [] } as const

function newBranch(): Branch {
  return { named: new Map(), place: null, routes: new Map() }
}

function add(root: Branch, route: Route): void {
  const segments = segmentsOf(route.path)
  const { routes } = segments.reduce(descend, root)
  const places = segments.filter(isPlace).map((name) => name.slice(1, -1))
  routes.set(route.method.toUpperCase(), { route, places })
  // HEAD is a GET whose body stays here.
  if (route.method === 'get') {
    routes.set('HEAD', { route, places })
  }
}

function descend(branch: Branch, segment: string): Branch {
  if (isPlace(segment)) {
    branch.place ??= newBranch()
    return branch.place
  }
  const next = branch.named.get(segment) ?? newBranch()
  branch.named.set(segment, next)
  return next
}

/**
 * Goes down by the segment at `start`, and notes what stands in the places. A name goes before a
 * place: `/v1/agents/me` is not the agent of the id `me`.
 */
function find(branch: Branch, path: string, start: number, values: string[]): Branch | null {
  if (start > path.length) {
    return branch.routes.size > 0 ? branch : null
  }
  const slash = path.indexOf('/', start)
  const end = slash < 0 ? path.length : slash
  const segment = path.slice(start, end)
  const named = branch.named.get(decode(segment))
  const found = named ? find(named, path, end + 1, values) : null
  if (found || !branch.place || segment === '') {
    return found
  }
  values.push(segment)
  const placed = find(branch.place, path, end + 1, values)
  if (!placed) {
    values.pop()
  }
  return placed
}

function isPlace(segment: string): boolean {
  return segment.startsWith('{')
}

function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/')
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
