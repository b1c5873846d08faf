import { useAction } from '../../api/action.ts'
import { deleteTestData } from '../../api/test-data.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { may } from '../../session/rights.ts'
import { Dialog, DialogButton, DialogForm } from '../../ui/dialog.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { toast } from '../../ui/toasts.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { TestPlatform } from './test-platform.tsx'

/** What test mode is, the way into it and out, both sides to try it with, and the way to delete it. */
export function TestData() {
  const { testData: texts } = t.value
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} needs="manage" />
      <Section title={texts.agents} lead={texts.agentsLead}>
        <ModeSwitch />
      </Section>
      {may('manage') && (
        <>
          <Section title={texts.platform} lead={texts.platformLead}>
            <TestPlatform />
          </Section>
          <Section title={texts.delete} lead={texts.deleteLead}>
            <DialogButton label={texts.deleteAll} class="danger">
              {(close) => <DeleteDialog onClose={close} />}
            </DialogButton>
          </Section>
        </>
      )}
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { testData: texts } = t.value
  const remove = useAction(async () => {
    const { agents, platforms, webhooks } = await deleteTestData()
    onClose()
    toast(texts.deleted(number(agents), number(platforms), number(webhooks)))
  })
  return (
    <Dialog title={texts.deleteAll} onClose={onClose}>
      <DialogForm label={texts.deleteAll} isDanger action={remove} onCancel={onClose}>
        <p>{texts.deleteLead}</p>
      </DialogForm>
    </Dialog>
  )
}
