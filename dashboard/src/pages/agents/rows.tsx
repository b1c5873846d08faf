import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { Agent, Score } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { NARROW, useMedia } from '../../ui/media.ts'
import { Scale, TierScore } from '../../ui/score.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { Empty } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { useVisibleRows } from '../../ui/virtual.ts'
import type { Scores } from './order.ts'
import { Trend } from './trend.tsx'

/** As in styles/agents.css: one line, and two of them on a narrow screen. */
const ROW_PX = 44
const NARROW_ROW_PX = 68

export function AgentRows({ agents, scores }: { agents: readonly Agent[]; scores: Scores }) {
  const { agents: texts } = t.value
  const height = useMedia(NARROW) ? NARROW_ROW_PX : ROW_PX
  const { ref, visible } = useVisibleRows(agents.length, height)
  const { from, to: until } = visible
  useRowKeys(agents, height, ref)
  const { route, path } = useLocation()
  if (agents.length === 0) {
    return (
      <Empty
        title={texts.nothingFound}
        action={
          <button type="button" onClick={() => route(`${path}?status=all`, true)}>
            {texts.clearFilters}
          </button>
        }
      />
    )
  }
  return (
    // A table of ten thousand rows of which those in sight are rendered: roles instead of elements.
    // biome-ignore lint/a11y/useSemanticElements: rows are placed by hand
    <div role="table" class="agents" aria-label={texts.title} aria-rowcount={agents.length + 1}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: not interactive */}
      <div role="row" class="rows-head" aria-rowindex={1}>
        {Object.values(texts.columns).map((name) => (
          // biome-ignore lint/a11y/useSemanticElements: as above
          // biome-ignore lint/a11y/useFocusableInteractive: not interactive
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div
        ref={ref}
        role="rowgroup"
        class="rows-body"
        style={{ height: `${agents.length * height}px` }}
      >
        {agents.slice(from, until).map((agent, i) => (
          <Row
            key={agent.id}
            agent={agent}
            score={scores.get(agent.id)}
            index={from + i}
            top={(from + i) * height}
          />
        ))}
      </div>
    </div>
  )
}

function Row({
  agent,
  score,
  index,
  top,
}: {
  agent: Agent
  score: Score | undefined
  index: number
  top: number
}) {
  const { id, displayName, status, createdAt } = agent
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    // biome-ignore lint/a11y/useFocusableInteractive: the link inside is what is focused
    <div role="row" class="row" aria-rowindex={index + 2} style={{ top: `${top}px` }}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <span role="cell" class="cell-name">
        <a class="row-link" href={to.agent('owner', id)} title={displayName} data-row={index}>
          {displayName}
        </a>
        {status !== 'active' && <Status name={status} />}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <span role="cell" class="cell-tier">
        {score && <TierScore score={score} />}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <span role="cell" class="cell-scale">
        {score && <Scale values={score} size="list" />}
      </span>
      <Trend id={id} score={score} />
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <span role="cell" class="cell-time quiet">
        <Time at={createdAt} />
      </span>
    </div>
  )
}

/** J and K go from row to row; Enter is the link's own. */
function useRowKeys(
  agents: readonly Agent[],
  height: number,
  body: { readonly current: HTMLDivElement | null },
): void {
  const { shortcuts } = t.value
  /** The row to focus once it is rendered, which may be after the scroll. */
  const wanted = useRef<number | null>(null)
  const focus = () => {
    const link = body.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`)
    if (link) {
      wanted.current = null
      link.focus({ preventScroll: true })
    }
  }
  const move = (step: number) => {
    const from = wanted.current ?? focusedRow() ?? (step > 0 ? -1 : 0)
    const next = Math.min(agents.length - 1, Math.max(0, from + step))
    const top = (body.current?.getBoundingClientRect().top ?? 0) + scrollY + next * height
    const isAbove = top < scrollY + height * 2
    const isBelow = top + height > scrollY + innerHeight
    if (isAbove) {
      scrollTo(0, top - height * 2)
    }
    if (isBelow) {
      scrollTo(0, top + height * 2 - innerHeight)
    }
    wanted.current = next
    focus()
  }
  useLayoutEffect(focus)
  useShortcut('j', shortcuts.next, () => move(1))
  useShortcut('k', shortcuts.previous, () => move(-1))
}

function focusedRow(): number | undefined {
  const active = document.activeElement
  const row = active instanceof HTMLElement ? active.dataset.row : undefined
  return row === undefined ? undefined : Number(row)
}
