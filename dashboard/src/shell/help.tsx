import { Fragment } from 'preact'
import { t } from '../messages/index.ts'
import { Dialog } from '../ui/dialog.tsx'
import { shortcuts, useShortcut } from '../ui/shortcuts.ts'
import { isHelpOpen } from './commands.ts'

/** The keys of the page at hand, listed by `?`. */
export function Help() {
  const texts = t.value.shortcuts
  const toggle = () => {
    isHelpOpen.value = !isHelpOpen.value
  }
  useShortcut('?', texts.help, toggle)
  if (!isHelpOpen.value) {
    return null
  }
  const keys = new Map(shortcuts.value.map(({ key, says }) => [key, says]))
  return (
    <Dialog title={texts.title} onClose={toggle}>
      <dl class="shortcuts">
        <dt>
          <kbd>Ctrl K</kbd> <kbd>⌘ K</kbd>
        </dt>
        <dd>{texts.palette}</dd>
        {[...keys].map(([key, says]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key === 'Enter' ? '↵' : key.toUpperCase()}</kbd>
            </dt>
            <dd>{says}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  )
}
