import { useSignal } from '@preact/signals'
import { refresh } from '../../api/cache.ts'
import { SERVICE_TIERS } from '../../api/limits.ts'
import { useList } from '../../api/list.ts'
import { listOwners, setOwnerTier } from '../../api/operator.ts'
import type { Owner, ServiceTier } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { optionsOf, SelectField } from '../../ui/field.tsx'
import { Listing } from '../../ui/listing.tsx'
import { PageHead } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { Time } from '../../ui/time.tsx'
import { useToastedAction } from '../../ui/toasted-action.tsx'
import { toast } from '../../ui/toasts.tsx'

export function Owners() {
  const { owners: texts, session, common } = t.value
  const query = useQuery()
  const email = query.get('email')
  const typed = useSignal(email)
  const list = useList<Owner>(`owners:${email}`, listOwners(email || undefined))
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <search>
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault()
            query.set({ email: typed.value.trim() })
          }}
        >
          <input
            type="search"
            aria-label={texts.search}
            placeholder={`${texts.search}: ${texts.searchHint}`}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value
              if (typed.value === '') {
                query.set({ email: '' })
              }
            }}
          />
          <button type="submit">{common.search}</button>
        </form>
      </search>
      <Listing
        of={list}
        skeleton={6}
        none={email ? texts.noneFound : texts.none}
        columns={[session.email, common.name, session.tier, texts.joined]}
      >
        {(owner) => <OwnerRow owner={owner} />}
      </Listing>
    </>
  )
}

function OwnerRow({ owner }: { owner: Owner }) {
  const { owners: texts, session, serviceTiers } = t.value
  const move = useToastedAction(async (tier: ServiceTier) => {
    try {
      await setOwnerTier(owner.id, tier)
      toast(texts.changed(owner.email, serviceTiers[tier]))
    } finally {
      refresh('owners')
    }
  })
  return (
    <tr>
      <th scope="row">{owner.email}</th>
      <td class="cell-long">{owner.name ?? <span class="quiet">–</span>}</td>
      <td>
        <SelectField<ServiceTier>
          isBare
          label={`${session.tier}: ${owner.email}`}
          value={owner.tier}
          options={optionsOf(SERVICE_TIERS, serviceTiers)}
          onValue={(tier) => void move.run(tier)}
        />
      </td>
      <td>
        <Time at={owner.createdAt} />
      </td>
    </tr>
  )
}
