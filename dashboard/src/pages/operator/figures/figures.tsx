import { t } from '../../../messages/index.ts'
import { PageHead } from '../../../ui/page.tsx'
import { Calibration } from './calibration.tsx'
import { Resistance } from './resistance.tsx'

/** How far the scores of this installation can be relied on. */
export function Figures() {
  const { figures: texts } = t.value
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Calibration />
      <Resistance />
    </>
  )
}
