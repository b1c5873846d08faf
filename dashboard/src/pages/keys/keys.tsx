import { listKeys, revokeKey } from '../../api/account.ts'
import { patch, refresh } from '../../api/cache.ts'
import { type Rows, useList } from '../../api/list.ts'
import type { OwnerKey } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Listing, useCreating } from '../../ui/listing.tsx'
import { PageHead } from '../../ui/page.tsx'
import { messageOf } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { later } from '../../ui/toasts.tsx'
import { CreateKeyDialog } from './create.tsx'

/** Keys with which a server acts for the account, without a person's password. */
export function ApiKeys() {
  const { apiKeys: texts, common } = t.value
  const list = useList<OwnerKey>('api-keys', listKeys)
  const creating = useCreating('create-key', texts.create)
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        {creating.button}
      </PageHead>
      <Listing
        of={list}
        skeleton={3}
        none={texts.none}
        noneText={texts.noneText}
        columns={[common.name, texts.scopes, common.status, texts.lastUsed, texts.expires]}
        hasActions
      >
        {(key) => <KeyRow apiKey={key} />}
      </Listing>
      {creating.isOpen && <CreateKeyDialog onClose={creating.close} />}
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
