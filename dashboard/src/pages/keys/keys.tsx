import { listKeys, revokeKey } from '../../api/account.ts'
import { useList } from '../../api/list.ts'
import type { OwnerKey } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { may } from '../../session/rights.ts'
import { Listing, useCreating } from '../../ui/listing.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RowButton } from '../../ui/row-button.tsx'
import { setStatusLater } from '../../ui/row-changes.tsx'
import { Status } from '../../ui/status.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateKeyDialog } from './create.tsx'

/** Keys with which a server acts for the account, without a person's password. */
export function ApiKeys() {
  const { apiKeys: texts, common } = t.value
  const list = useList<OwnerKey>('api-keys', listKeys)
  const creating = useCreating('create-key', texts.create, may('admin'))
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} needs="admin">
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
  const { apiKeys: texts } = t.value
  const { name, scopes, status, lastUsedAt, expiresAt } = apiKey
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{scopes.map((scope) => texts.scopeNames[scope]).join(', ')}</td>
      <td>
        <Status name={status} />
      </td>
      <td>
        <Time at={lastUsedAt} />
      </td>
      <td>
        <Time at={expiresAt} />
      </td>
      <td class="number">
        {status === 'active' && may('admin') && (
          <RowButton
            label={texts.revoke}
            about={name}
            class="danger"
            onClick={() => revoke(apiKey)}
          />
        )}
      </td>
    </tr>
  )
}

function revoke(key: OwnerKey): void {
  setStatusLater(key, 'revoked', {
    list: 'api-keys',
    text: t.value.apiKeys.revoked(key.name),
    commit: (keepalive) => revokeKey(key.id, keepalive),
  })
}
