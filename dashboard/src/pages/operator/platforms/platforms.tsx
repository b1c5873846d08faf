import { useList } from '../../../api/list.ts'
import { listPlatforms } from '../../../api/operator.ts'
import type { Platform } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { Listing, useCreating } from '../../../ui/listing.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { DemoButton } from '../demo/demo.tsx'
import { CreatePlatformDialog } from './create.tsx'
import { PlatformRow } from './platform-row.tsx'

export function Platforms() {
  const { platforms: texts, common } = t.value
  const list = useList<Platform>('platforms', listPlatforms)
  const creating = useCreating('create-platform', texts.create)
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {list.data && list.data.rows.length > 0 && creating.button}
      </PageHead>
      <Listing
        of={list}
        none={texts.none}
        noneText={texts.noneText}
        action={
          <span class="row-actions">
            {creating.button}
            <DemoButton />
          </span>
        }
        columns={[
          common.name,
          common.status,
          texts.tier,
          { text: texts.weight, title: texts.weightHint },
          { number: texts.agreement, title: texts.agreementHint },
          { number: texts.reports },
          { number: texts.quarantined },
          { number: texts.upheld },
          common.created,
        ]}
        hasActions
      >
        {(platform) => <PlatformRow platform={platform} />}
      </Listing>
      {creating.isOpen && <CreatePlatformDialog onClose={creating.close} />}
    </>
  )
}
