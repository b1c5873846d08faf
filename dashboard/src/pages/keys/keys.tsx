import { useSignal } from '@preact/signals'
import { listKeys, revokeKey } from '../../api/account.ts'
import { patch, refresh } from '../../api/cache.ts'
import { type Rows, useList } from '../../api/list.ts'
import type { OwnerKey } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { useCreate } from '../../shell/commands.ts'
import { More } from '../../ui/more.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Empty, Loaded, messageOf } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { later } from '../../ui/toasts.tsx'
import { CreateKeyDialog } from './create.tsx'

/** Keys with which a server acts for the account, without a person's password. */
export function ApiKeys() {
  const { apiKeys: texts, common } = t.value
  const isCreating = useSignal(false)
  const list = useList<OwnerKey>('api-keys', listKeys)
  const create = () => {
    isCreating.value = true
  }
  useCreate('create-key', texts.create, create)
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <button type="button" class="primary" onClick={create} title={`${texts.create} (C)`}>
          {texts.create}
        </button>
      </PageHead>
      <Loaded of={list} rows={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={texts.none}>
              <p>{texts.noneText}</p>
            </Empty>
          ) : (
            <>
              <Table
                columns={[common.name, texts.scopes, common.status, texts.lastUsed, texts.expires]}
                hasActions
              >
                {rows.map((key) => (
                  <KeyRow key={key.id} apiKey={key} />
                ))}
              </Table>
              <More list={list} />
            </>
          )
        }
      </Loaded>
      {isCreating.value && (
        <CreateKeyDialog
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
    </>
  )
}

function KeyRow({ apiKey }: { apiKey: OwnerKey }) {
  const { apiKeys: texts, common } = t.value
  const { name, scopes, status, lastUsedAt, expiresAt } = apiKey
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{scopes.map((scope) => texts.scopeNames[scope]).join(', ')}</td>
      <td>
        <Status name={status} />
      </td>
      <td>{lastUsedAt ? <Time at={lastUsedAt} /> : common.never}</td>
      <td>{expiresAt ? <Time at={expiresAt} /> : common.never}</td>
      <td class="number">
        {status === 'active' && (
          <button type="button" class="danger" onClick={() => revoke(apiKey)}>
            {texts.revoke}
            <span class="visually-hidden"> {name}</span>
          </button>
        )}
      </td>
    </tr>
  )
}

function revoke({ id, name, status }: OwnerKey): void {
  const show = (next: OwnerKey['status']) =>
    patch<Rows<OwnerKey>>('api-keys', ({ rows, ...rest }) => ({
      ...rest,
      rows: rows.map((one) => (one.id === id ? { ...one, status: next } : one)),
    }))
  show('revoked')
  later({
    text: t.value.apiKeys.revoked(name),
    commit: async (keepalive) => {
      await revokeKey(id, keepalive)
      refresh('api-keys')
    },
    undo: () => show(status),
    failed: messageOf,
  })
}
