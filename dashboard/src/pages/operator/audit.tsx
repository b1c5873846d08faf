import { call } from '../../api/client.ts'
import { useList } from '../../api/list.ts'
import { listAudit } from '../../api/operator.ts'
import type { AuditEntry } from '../../api/types.ts'
import { isUuid, shortId } from '../../ids.ts'
import { t } from '../../messages/index.ts'
import { Listing } from '../../ui/listing.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { useToastedAction } from '../../ui/toasted-action.tsx'

/** Who did what, when. */
export function Audit() {
  const { audit: texts } = t.value
  const list = useList<AuditEntry>('audit', listAudit)
  const download = useToastedAction(async () =>
    save('standing-audit.jsonl', await call<string>('GET', '/v1/operator/audit/export')),
  )
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <button type="button" onClick={() => void download.run()} disabled={download.isBusy}>
          {texts.download}
        </button>
      </PageHead>
      <Listing
        of={list}
        skeleton={8}
        none={texts.none}
        columns={[
          { number: texts.number },
          texts.when,
          texts.actor,
          texts.action,
          texts.target,
          texts.details,
        ]}
      >
        {(entry) => <Entry entry={entry} />}
      </Listing>
    </>
  )
}

function Entry({
  entry: { number, createdAt, actor, action, target, details, hash },
}: {
  entry: AuditEntry
}) {
  const text = Object.keys(details).length === 0 ? '' : JSON.stringify(details)
  return (
    <tr>
      <td class="number" title={hash}>
        {number}
      </td>
      <td>
        <Time at={createdAt} />
      </td>
      <td title={actor.id ?? ''}>
        <Named {...actor} />
      </td>
      <th scope="row" class="mono nowrap">
        {action}
      </th>
      <td title={target?.id ?? ''}>{target && <Named {...target} />}</td>
      <td class="cell-claims mono" title={text}>
        {text}
      </td>
    </tr>
  )
}

/** What something is, and which one: UUIDs by their end; addresses and names, which are short, whole. */
function Named({ kind, id }: { kind: string; id: string | null }) {
  return (
    <>
      {kind}{' '}
      {id && (
        <span class={isUuid(id) ? 'quiet mono nowrap' : 'quiet mono'}>
          {isUuid(id) ? shortId(id) : id}
        </span>
      )}
    </>
  )
}

/** A file of what was fetched: the address itself needs the key. */
function save(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
