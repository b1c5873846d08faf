import { call } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import { t } from '../messages/index.ts'
import { type Kind, session } from '../session/session.ts'
import { Command } from './copy.tsx'
import { curl } from './curl.ts'
import { Dialog, useOpened } from './dialog.tsx'
import { Icon } from './icon.tsx'
import { Loaded } from './states.tsx'

/** The credential of a command stays out of it: commands are pasted into chats. */
const HEADERS: Readonly<Record<Kind, string>> = {
  owner: 'Authorization: Bearer $TOKEN',
  operator: 'X-API-Key: $OPERATOR_KEY',
  platform: 'X-API-Key: $PLATFORM_KEY',
}

/** Any object as the API has it, and the command that asks for it. */
export function Raw({ path }: { path: string }) {
  const { isOpen, open, close } = useOpened()
  const { common } = t.value
  return (
    <>
      <button
        type="button"
        class="icon-button"
        title={common.raw}
        aria-label={common.raw}
        onClick={open}
      >
        <Icon name="code" />
      </button>
      {isOpen && (
        <Dialog title={common.raw} isWide onClose={close}>
          <RawBody path={path} />
        </Dialog>
      )}
    </>
  )
}

function RawBody({ path }: { path: string }) {
  const { common } = t.value
  const body = useResource(`raw:${path}`, (signal) => call<unknown>('GET', path, { signal }))
  const kind = session.value?.kind
  return (
    <>
      <Command label={common.asCurl} text={curl('GET', path, kind ? HEADERS[kind] : null)} />
      <Loaded of={body} rows={6}>
        {(value) => <Command label={common.json} text={JSON.stringify(value, null, 2)} />}
      </Loaded>
    </>
  )
}
