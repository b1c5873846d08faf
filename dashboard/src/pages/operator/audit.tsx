import { useAction } from '../../api/action.ts'
import { call } from '../../api/client.ts'
import { useList } from '../../api/list.ts'
import { listAudit } from '../../api/operator.ts'
import type { AuditEntry } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { More } from '../../ui/more.tsx'
import { PageHead } from '../../ui/page.tsx'
import { shortId } from '../../ui/short-id.ts'
import { Empty, Loaded, messageOf } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'

/** Who did what, when. */
export function Audit() {
  const { audit: texts } = t.value
  const list = useList<AuditEntry>('audit', listAudit)
  const download = useAction(async () => {
    try {
      save('standing-audit.jsonl', await call<string>('GET', '/v1/operator/audit/export'))
    } catch (error) {
      toast(messageOf(error), 'bad')
    }
  })
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <button type="button" onClick={() => void download.run()} disabled={download.isBusy}>
          {texts.download}
        </button>
      </PageHead>
      <Loaded of={list} rows={8}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={texts.none} />
          ) : (
            <>
              <div class="table-frame">
                <table>
                  <thead>
                    <tr>
                      <th scope="col" class="number">
                        {texts.number}
                      </th>
                      <th scope="col">{texts.when}</th>
                      <th scope="col">{texts.actor}</th>
                      <th scope="col">{texts.action}</th>
                      <th scope="col">{texts.target}</th>
                      <th scope="col">{texts.details}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((entry) => (
                      <Entry key={entry.id} entry={entry} />
                    ))}
                  </tbody>
                </table>
              </div>
              <More list={list} />
            </>
          )
        }
      </Loaded>
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
        {actor.kind} {actor.id && <span class="quiet mono">{shortId(actor.id)}</span>}
      </td>
      <th scope="row" class="mono">
        {action}
      </th>
      <td title={target?.id ?? ''}>
        {target && (
          <>
            {target.kind} <span class="quiet mono">{shortId(target.id)}</span>
          </>
        )}
      </td>
      <td class="cell-claims mono" title={text}>
        {text}
      </td>
    </tr>
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
