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
  /** The segments that are places, by their names. */
  readonly places: readonly (readonly [name: string, at: number])[]
}

export function createRouter(routes: readonly Route[]): Router {
  const root = newBranch()
  for (const route of routes) add(root, route)
  return (method, path) => {
    const segments = segmentsOf(path).map(decode)
    const branch = find(root, segments, 0)
    if (!branch) return null
    const { route, places } = branch.routes.get(method) ?? NOBODY
    const params: Record<string, string> = {}
    for (const [name, at] of places) params[name] = segments[at] ?? ''
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
  const places = segments.flatMap((name, at) =>
    isPlace(name) ? [[name.slice(1, -1), at] as const] : [],
  )
  routes.set(route.method.toUpperCase(), { route, places })
  // HEAD is a GET whose body stays here.
  if (route.method === 'get') routes.set('HEAD', { route, places })
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

/** A name goes before a place: `/v1/agents/me` is not the agent of the id `me`. */
function find(branch: Branch, segments: readonly string[], at: number): Branch | null {
  const segment = segments[at]
  if (segment === undefined) return branch.routes.size > 0 ? branch : null
  const named = branch.named.get(segment)
  const found = named ? find(named, segments, at + 1) : null
  if (found || !branch.place || segment === '') return found
  return find(branch.place, segments, at + 1)
}

function isPlace(segment: string): boolean {
  return segment.startsWith('{')
}

function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/')
}

function decode(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
