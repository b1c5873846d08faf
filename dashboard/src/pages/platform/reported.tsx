import { t } from '../../messages/index.ts'
import { FindAgent } from '../../ui/find-agent.tsx'
import { PageHead } from '../../ui/page.tsx'

/** The service has no list of the agents that a platform reported: they are opened by their id. */
export function Reported() {
  const { reported: texts } = t.value
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <FindAgent room="platform" />
    </>
  )
}
