import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Credential } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { Copy } from '../../../ui/copy.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Drawn } from '../../../ui/drawn.tsx'

/** The page that verifies the credential, for a phone to open. */
export function QrDialog({ credential, onClose }: { credential: Credential; onClose: () => void }) {
  const { credentials: texts } = t.value
  const link = new URL(to.verification(credential.id), location.origin).href
  const words = texts.qrOf(link)
  const markup = useSignal('')
  useEffect(() => {
    // Seldom used: the encoder is loaded on demand.
    void import('../../../ui/qr.ts').then(({ drawQr }) => {
      markup.value = drawQr(link, words)
    })
  }, [link, words])
  return (
    <Dialog title={texts.qrTitle(credential.type)} onClose={onClose}>
      <p class="quiet">{texts.qrText}</p>
      <Drawn class="qr-frame" markup={markup.value} />
      <p class="qr-link mono">{link}</p>
      <Copy text={link} label={texts.copyLink} />
    </Dialog>
  )
}
