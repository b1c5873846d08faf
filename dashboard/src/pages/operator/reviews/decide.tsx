import { signal } from '@preact/signals'
import { refresh } from '../../../api/cache.ts'
import { type ReviewDecision, reviewEvent } from '../../../api/operator.ts'
import type { ReviewItem } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { ErrorText } from '../../../ui/said.tsx'
import { later } from '../../../ui/toasts.tsx'
import { refreshAgent } from '../../agent/data.ts'
import { dataWords } from '../../agent/events/event-data.ts'

/** Events that are decided, or will be when the time to undo is over: out of the queue. */
export const decided = signal<ReadonlySet<string>>(new Set())

function mark(id: string, isDecided: boolean): void {
  const next = new Set(decided.value)
  if (isDecided) {
    next.add(id)
  } else {
    next.delete(id)
  }
  decided.value = next
}

/** A decision is final, so it is sent when ten seconds have passed without an undo. */
export function decide(item: ReviewItem, decision: ReviewDecision, reason: string): void {
  const { reviews: texts, eventTypes } = t.value
  const what = `${eventTypes[item.type]} ${dataWords(item)}`.trim()
  mark(item.id, true)
  later({
    text: decision === 'released' ? texts.releasedToast(what) : texts.upheldToast(what),
    commit: async (keepalive) => {
      await reviewEvent(item.id, { decision, reason }, keepalive)
      refresh('reviews')
      refreshAgent(item.agentId)
    },
    undo: () => mark(item.id, false),
    failed: (error) => (
      <>
        {texts.failed} <ErrorText error={error} />
      </>
    ),
  })
}
