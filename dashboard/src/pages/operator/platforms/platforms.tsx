import { useSignal } from '@preact/signals'
import { useList } from '../../../api/list.ts'
import { listPlatforms } from '../../../api/operator.ts'
import type { Platform } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { useCreate } from '../../../shell/commands.ts'
import { Icon } from '../../../ui/icon.tsx'
import { More } from '../../../ui/more.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { DemoButton } from '../demo/demo.tsx'
import { CreatePlatformDialog } from './create.tsx'
import { PlatformRow } from './platform-row.tsx'

export function Platforms() {
  const { platforms: texts } = t.value
  const list = useList<Platform>('platforms', listPlatforms)
  const isOpen = useSignal(false)
  const open = () => {
    isOpen.value = true
  }
  useCreate('create-platform', texts.create, open)
  const create = (
    <button type="button" class="primary" onClick={open} title={`${texts.create} (C)`}>
      <Icon name="plus" />
      {texts.create}
    </button>
  )
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {list.data && list.data.rows.length > 0 && create}
      </PageHead>
      <Loaded of={list} rows={4}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty
              title={texts.none}
              action={
                <span class="row-actions">
                  {create}
                  <DemoButton />
                </span>
              }
            >
              <p>{texts.noneText}</p>
            </Empty>
          ) : (
            <>
              <PlatformTable platforms={rows} />
              <More list={list} />
            </>
          )
        }
      </Loaded>
      {isOpen.value && (
        <CreatePlatformDialog
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

function PlatformTable({ platforms }: { platforms: readonly Platform[] }) {
  const { platforms: texts, common } = t.value
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">{texts.name}</th>
            <th scope="col">{common.status}</th>
            <th scope="col">{texts.tier}</th>
            <th scope="col" title={texts.weightHint}>
              {texts.weight}
            </th>
            <th scope="col" class="number" title={texts.agreementHint}>
              {texts.agreement}
            </th>
            <th scope="col" class="number">
              {texts.reports}
            </th>
            <th scope="col" class="number">
              {texts.held}
            </th>
            <th scope="col" class="number">
              {texts.upheld}
            </th>
            <th scope="col">{common.created}</th>
            <th scope="col">
              <span class="visually-hidden">{common.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {platforms.map((platform) => (
            <PlatformRow key={platform.id} platform={platform} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
