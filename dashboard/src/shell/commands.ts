import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { chooseLanguage, LANGUAGES, type Language, language, t } from '../messages/index.ts'
import { signOut } from '../session/enter.ts'
import { type Kind, session } from '../session/session.ts'
import { useShortcut } from '../ui/shortcuts.ts'
import { setTheme, theme } from '../ui/theme.ts'
import { placesOf } from './places.ts'

export interface Command {
  readonly id: string
  readonly group: 'agent' | 'page' | 'action'
  readonly label: string
  /** What is searched in addition to the label. */
  readonly hint?: string
  /** A page to go to, or something to do. */
  readonly href?: string
  readonly run?: () => void
}

export const isPaletteOpen = signal(false)
export const isHelpOpen = signal(false)

/** What the page at hand adds. */
const added = signal<readonly Command[]>([])

/** Offers an action in the palette for as long as the component is there. */
function useCommand(command: Command | null): void {
  const latest = useRef(command)
  latest.current = command
  const id = command?.id
  const label = command?.label
  useEffect(() => {
    if (!latest.current) {
      return
    }
    const own: Command = { ...latest.current, run: () => latest.current?.run?.() }
    added.value = [...added.peek(), own]
    return () => {
      added.value = added.peek().filter((one) => one !== own)
    }
  }, [id, label])
}

/** Offers what the page creates: in the palette, and by its shortcut. */
export function useCreate(id: string, label: string, run: () => void, isAllowed = true): void {
  useCommand(isAllowed ? { id, group: 'action', label, run } : null)
  useShortcut('c', label, run, isAllowed)
}

/** Everything that can be done here by name, apart from agents, which are looked up. */
export function commandsOf(kind: Kind | undefined): readonly Command[] {
  const pages = placesOf(kind).map(({ href, label }): Command => {
    return { id: href, group: 'page', label, href }
  })
  return [...added.value, ...pages, ...appearance(), ...sessionCommands()]
}

function appearance(): readonly Command[] {
  const { palette } = t.value
  const themes = [
    ['light', palette.toLight],
    ['dark', palette.toDark],
    ['auto', palette.toAuto],
  ] as const
  const languages = Object.entries(LANGUAGES) as [Language, string][]
  return [
    ...themes
      .filter(([name]) => name !== theme.value)
      .map(([name, label]): Command => {
        return { id: `theme-${name}`, group: 'action', label, run: () => setTheme(name) }
      }),
    ...languages
      .filter(([name]) => name !== language.value)
      .map(([name, label]): Command => {
        const run = () => void chooseLanguage(name)
        return { id: `language-${name}`, group: 'action', label, run }
      }),
    {
      id: 'shortcuts',
      group: 'action',
      label: palette.shortcuts,
      run: () => {
        isHelpOpen.value = true
      },
    },
  ]
}

function sessionCommands(): readonly Command[] {
  if (!session.value) {
    return []
  }
  return [{ id: 'sign-out', group: 'action', label: t.value.session.signOut, run: signOut }]
}
