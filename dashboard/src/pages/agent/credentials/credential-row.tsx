import { revokeCredential, verifyCredential } from '../../../api/credentials.ts'
import type { Credential } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { isTestId } from '../../../session/mode.ts'
import { may } from '../../../session/rights.ts'
import { copyText } from '../../../ui/copy.tsx'
import { useOpened } from '../../../ui/dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { setStatusLater } from '../../../ui/row-changes.tsx'
import { Status } from '../../../ui/status.tsx'
import { Time } from '../../../ui/time.tsx'
import { useToastedAction } from '../../../ui/toasted-action.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { refreshAgent } from '../data.ts'
import { QrDialog } from './qr-dialog.tsx'

export function CredentialRow({ credential }: { credential: Credential }) {
  const { credentials: texts, common } = t.value
  const qr = useOpened()
  const verify = useToastedAction(async () => {
    const { valid, status, checks } = await verifyCredential(credential.id)
    const failed = Object.entries(checks).filter(([, isFine]) => !isFine)
    const why =
      failed.length > 0
        ? ` (${failed.map(([name]) => t.value.service.checks[name] ?? name).join(', ')})`
        : ''
    const statusName = (t.value.statuses as Readonly<Record<string, string>>)[status] ?? status
    toast(`${valid ? texts.valid : texts.notValid}: ${statusName}${why}`, valid ? 'fine' : 'bad')
  })
  return (
    <tr>
      <th scope="row">{credential.type}</th>
      <td class="cell-claims mono" title={JSON.stringify(credential.claims)}>
        {claimsWords(credential.claims)}
      </td>
      <td>
        <Status name={credential.status} />
      </td>
      <td>{texts.asserted[credential.assertedBy]}</td>
      <td>
        <Time at={credential.issuedAt} />
      </td>
      <td>
        <Time at={credential.expiresAt} />
      </td>
      <td class="number">
        <span class="row-actions">
          <button type="button" onClick={() => void verify.run()} disabled={verify.isBusy}>
            {texts.verify}
          </button>
          <Menu label={common.actions}>
            {/* A test credential has no public page. */}
            {!isTestId(credential.id) && (
              <>
                <a href={to.verification(credential.id)} target="_blank" rel="noreferrer">
                  {texts.page}
                </a>
                <button type="button" onClick={qr.open}>
                  {texts.qr}
                </button>
              </>
            )}
            <button
              type="button"
              onClick={() => void copyText(credential.jwt).then(() => toast(common.copied))}
            >
              {texts.copyJwt}
            </button>
            {credential.status === 'active' && may('manage') && (
              <button type="button" class="danger" onClick={() => revoke(credential)}>
                {texts.revoke}
              </button>
            )}
          </Menu>
          {qr.isOpen && <QrDialog credential={credential} onClose={qr.close} />}
        </span>
      </td>
    </tr>
  )
}

function claimsWords(claims: Credential['claims']): string {
  return Object.entries(claims)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

/** A revocation is final, so it is sent when the time to undo is over. */
function revoke(credential: Credential): void {
  const { credentials: texts } = t.value
  const { id, agentId, type } = credential
  setStatusLater(credential, 'revoked', {
    list: `credentials:${agentId}`,
    text: texts.revoked(type),
    commit: async (keepalive) => {
      await revokeCredential(id, keepalive)
      refreshAgent(agentId)
    },
    failed: texts.revokeFailed,
  })
}
