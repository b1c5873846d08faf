import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../messages/index.ts'
import { Icon } from './icon.tsx'
import { type Right, RoleNote } from './role-note.tsx'

let isFirst = true

/** The head of a page: its title, also for the tab, and what can be done with it. */
export function PageHead({
  title,
  lead,
  needs,
  children,
  before,
}: {
  title: string
  lead?: ComponentChildren
  /** What the changes on the page need: who lacks it reads so. */
  needs?: Right
  children?: ComponentChildren
  before?: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const product = t.value.common.product
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  useEffect(() => {
    // A screen reader announces the new page; it reads the first one by itself.
    if (!isFirst) {
      heading.current?.focus({ preventScroll: true })
    }
    isFirst = false
  }, [])
  return (
    <header class="page-head">
      {before}
      <div class="page-head-line">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children && <div class="page-actions">{children}</div>}
      </div>
      {lead && <div class="quiet">{lead}</div>}
      {needs && <RoleNote needs={needs} />}
    </header>
  )
}

/** The way back to the page that leads here. */
export function Crumb({ href, label }: { href: string; label: string }) {
  return (
    <a class="crumb" href={href}>
      <Icon name="left" size={12} /> {label}
    </a>
  )
}

/** A part of a page with its own heading. */
export function Section({
  title,
  aside,
  children,
  lead,
}: {
  title: string
  aside?: ComponentChildren
  lead?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <section class="section">
      <div class="section-head">
        <h2>{title}</h2>
        {aside && <div class="section-aside">{aside}</div>}
      </div>
      {lead && <div class="quiet section-lead">{lead}</div>}
      {children}
    </section>
  )
}
