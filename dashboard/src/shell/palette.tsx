import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { listAgents } from '../api/agents.ts'
import { useWholeList } from '../api/list.ts'
import type { Agent } from '../api/types.ts'
import { isUuid } from '../ids.ts'
import { t } from '../messages/index.ts'
import { to } from '../paths.ts'
import { session } from '../session/session.ts'
import { useModal } from '../ui/dialog.tsx'
import { type Command, commandsOf, isPaletteOpen } from './commands.ts'

/** More than this is not read; another letter finds it sooner. */
const SHOWN_MAX = 12

addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) {
    return
  }
  event.preventDefault()
  isPaletteOpen.value = !isPaletteOpen.value
})

/** Finds agents, pages and actions by name (Ctrl/Cmd-K). */
export function Palette() {
  return isPaletteOpen.value ? <OpenPalette /> : null
}

function OpenPalette() {
  const { palette } = t.value
  const { route } = useLocation()
  const dialog = useModal()
  const text = useSignal('')
  const active = useSignal(0)
  const id = useId()
  const isOwner = session.value?.kind === 'owner'
  const agents = useWholeList<Agent>(isOwner ? 'agents' : null, listAgents)
  const found = search(text.value, agents.data?.rows ?? [])
  const close = () => {
    isPaletteOpen.value = false
  }
  const choose = (command: Command | undefined) => {
    if (!command) {
      return
    }
    close()
    if (command.href) {
      route(command.href)
    }
    command.run?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      active.value = (active.value + step + found.length) % Math.max(1, found.length)
    } else if (event.key === 'Enter') {
      choose(found[active.value])
    } else {
      return
    }
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label={palette.title}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onMouseDown={(event) => event.target === dialog.current && close()}
    >
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${active.value}` : undefined}
        aria-label={palette.placeholder}
        placeholder={palette.placeholder}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
          active.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 && <p class="palette-empty quiet">{palette.empty}</p>}
      <div role="listbox" id={id} aria-label={palette.title} class="palette-list">
        {found.map((command, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are taken by the field above
          <div
            key={command.id}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active.value}
            onClick={() => choose(command)}
            onMouseMove={() => {
              active.value = i
            }}
          >
            <span class="palette-label">{command.label}</span>
            <span class="quiet">{palette.groups[command.group]}</span>
          </div>
        ))}
      </div>
    </dialog>
  )
}

function search(text: string, known: readonly Agent[]): readonly Command[] {
  const words = text.trim().toLowerCase().split(/\s+/)
  const fits = ({ label, hint }: Command) => {
    const searched = `${label} ${hint ?? ''}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  }
  const commands = commandsOf(session.value?.kind).filter(fits)
  const agents = text.trim() === '' ? [] : agentCommands(text.trim(), known).filter(fits)
  return [...commands, ...agents].slice(0, SHOWN_MAX)
}

/** The owner's agents by name; for everybody an agent by its id. */
function agentCommands(text: string, known: readonly Agent[]): readonly Command[] {
  const kind = session.value?.kind
  if (!kind) {
    return []
  }
  const named = known.map(({ id, displayName }): Command => {
    return { id, group: 'agent', label: displayName, hint: id, href: to.agent(kind, id) }
  })
  const isNew = isUuid(text) && !known.some(({ id }) => id === text)
  if (!isNew) {
    return named
  }
  const label = t.value.palette.openAgent(text)
  return [...named, { id: text, group: 'agent', label, href: to.agent(kind, text) }]
}
