import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Failure } from '../ui/states.tsx'

/** A page that could not be drawn shows an error, and the navigation keeps working. */
export function Boundary({ children }: { children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary()
  const { path } = useLocation()
  useEffect(reset, [path])
  if (error !== undefined) {
    return <Failure isPage error={error} retry={() => location.reload()} />
  }
  return <>{children}</>
}
