import { Loaded, Skeleton } from '../../ui/states.tsx'
import { type AgentView, useExplanation } from './data.ts'
import { Dimensions } from './dimensions.tsx'
import { Headline } from './headline.tsx'
import { History } from './history/history.tsx'
import { NextSteps } from './next-steps.tsx'
import { Strip } from './strip.tsx'
import { WhatIf } from './what-if.tsx'
import { Why } from './why.tsx'

/** The score, what would move it, how it came about, and why. */
export function Overview({ view }: { view: AgentView }) {
  const explanation = useExplanation(view.id)
  return (
    <>
      <div class="overview-top">
        <Loaded of={view.score} rows={4}>
          {(score) => <Headline score={score} />}
        </Loaded>
        {explanation.data ? (
          <NextSteps explanation={explanation.data} />
        ) : (
          // Why it could not be read is said below, where most of it is shown.
          explanation.error === undefined && <Skeleton rows={4} />
        )}
      </div>
      <History view={view} />
      {/* A platform reads its own reports alone: they would be no picture of the agent. */}
      {view.kind !== 'platform' && <Strip view={view} />}
      <Loaded of={explanation} rows={6}>
        {(data) => <Why explanation={data} />}
      </Loaded>
      <div class="columns">
        {view.score.data && <Dimensions score={view.score.data} />}
        {explanation.data && (
          <WhatIf explanation={explanation.data} eventCount={view.score.data?.eventCount ?? 0} />
        )}
      </div>
    </>
  )
}
