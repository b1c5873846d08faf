import { t } from '../../messages/index.ts'
import { FindAgent } from '../../ui/find-agent.tsx'
import { PageHead } from '../../ui/page.tsx'

export function LookUp() {
  const { lookUp: texts } = t.value
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <FindAgent kind="operator" />
    </>
  )
}
