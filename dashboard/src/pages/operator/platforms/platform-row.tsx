import { refresh } from '../../../api/cache.ts'
import { rotatePlatformKey, updatePlatform } from '../../../api/operator.ts'
import type { Platform } from '../../../api/types.ts'
import { number, share } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { copyText } from '../../../ui/copy.tsx'
import { Dialog, useChosen } from '../../../ui/dialog.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { RotateForm } from '../../../ui/rotate-form.tsx'
import { Status } from '../../../ui/status.tsx'
import { Time } from '../../../ui/time.tsx'
import { useToastedAction } from '../../../ui/toasted-action.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { DiscardForm } from './discard-form.tsx'
import { PlatformForm } from './platform-form.tsx'

export function PlatformRow({ platform }: { platform: Platform }) {
  const { platforms: texts, serviceTiers } = t.value
  const { reports } = platform
  const { discarded } = platform
  return (
    <tr>
      <th scope="row">{platform.name}</th>
      <td>
        <Status name={platform.status} />
        {discarded?.finishedAt === null && (
          <span class="tag">{progressOf(discarded.progress)}</span>
        )}
      </td>
      <td>{serviceTiers[platform.tier]}</td>
      <td title={texts.weightHint}>{texts.weights[weightOf(platform)]}</td>
      <td class="number" title={texts.agreementHint}>
        {share(platform.agreement, 1)}
      </td>
      <td class="number">{number(reports.total)}</td>
      <td class="number">{number(reports.quarantined)}</td>
      <td class="number">{number(reports.upheld)}</td>
      <td>
        <Time at={platform.createdAt} />
      </td>
      <td class="number">
        <Actions platform={platform} />
      </td>
    </tr>
  )
}

function weightOf({ verified, established }: Platform) {
  if (verified) {
    return established ? 'verified' : 'problems'
  }
  return established ? 'established' : 'other'
}

function progressOf(progress: NonNullable<Platform['discarded']>['progress']): string {
  const { platforms: texts } = t.value
  return progress
    ? texts.discarding(number(progress.agentsChecked), number(progress.agentsInAll))
    : texts.discardingUncounted
}

function Actions({ platform }: { platform: Platform }) {
  const { platforms: texts, common, settings, agent } = t.value
  const { about, open, close } = useChosen<'edit' | 'rotate' | 'discard'>()
  const isSuspended = platform.status === 'suspended'
  const toggle = useToastedAction(async () => {
    await updatePlatform(platform.id, { status: isSuspended ? 'active' : 'suspended' })
    refresh('platforms')
    toast(isSuspended ? texts.resumed : texts.suspended)
  })
  return (
    <>
      <Menu label={`${common.actions}: ${platform.name}`}>
        <button type="button" onClick={() => open('edit')}>
          {texts.edit}
        </button>
        <button type="button" onClick={() => open('rotate')}>
          {texts.rotate}
        </button>
        <button
          type="button"
          onClick={() => void copyText(platform.id).then(() => toast(common.copied))}
        >
          {agent.copyId}
        </button>
        <button type="button" class="danger" onClick={() => open('discard')}>
          {texts.discard}
        </button>
        <button type="button" class={isSuspended ? '' : 'danger'} onClick={() => void toggle.run()}>
          {isSuspended ? texts.resume : texts.suspend}
        </button>
      </Menu>
      {about === 'edit' && (
        <Dialog title={texts.edit} onClose={close}>
          <PlatformForm
            known={platform}
            submitLabel={common.save}
            onCancel={close}
            submit={async (input) => {
              await updatePlatform(platform.id, input)
              refresh('platforms')
              toast(common.saved)
              close()
            }}
          />
        </Dialog>
      )}
      {about === 'discard' && (
        <Dialog title={texts.discard} onClose={close}>
          <DiscardForm platform={platform} onDone={close} />
        </Dialog>
      )}
      {about === 'rotate' && (
        <Dialog title={texts.rotate} onClose={close} isFirm>
          <p class="quiet">{settings.rotateLead}</p>
          <RotateForm
            label={texts.keyLabel}
            keys={platform.apiKeys}
            rotate={(overlapSeconds) => rotatePlatformKey(platform.id, overlapSeconds)}
          />
        </Dialog>
      )}
    </>
  )
}
