import { useLocation } from 'preact-iso/router'

/** The filters of a list, kept in the address so that a view can be shared and returned to. */
export function useQuery(): {
  get(name: string): string
  set(values: Readonly<Record<string, string>>): void
} {
  const { path, query, route } = useLocation()
  return {
    get: (name) => query[name] ?? '',
    set(values) {
      const all = Object.entries({ ...query, ...values }).filter(([, value]) => value !== '')
      const search = new URLSearchParams(all).toString()
      route(search === '' ? path : `${path}?${search}`, true)
    },
  }
}
