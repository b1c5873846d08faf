import { drawMark } from '@standing/design/mark.ts'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { isOffline, waiting } from '../api/client.ts'
import { now } from '../messages/format.ts'
import { t } from '../messages/index.ts'
import { to } from '../paths.ts'
import { signOut, switchMode } from '../session/enter.ts'
import { isTestMode } from '../session/mode.ts'
import { useOwnRights } from '../session/rights.ts'
import { type Session, session } from '../session/session.ts'
import { Drawn } from '../ui/drawn.tsx'
import { Icon } from '../ui/icon.tsx'
import { isPaletteOpen } from './commands.ts'
import { placesOf } from './places.ts'

/** Navigation next to the page; above it, behind a button, where the screen is narrow. */
export function Layout({ who, children }: { who: Session; children: ComponentChildren }) {
  const { common } = t.value
  const main = useRef<HTMLElement>(null)
  useOwnRights(who)
  return (
    <div class="layout">
      {/* No link: with a <base>, a bare fragment would lead to another page. */}
      <button type="button" class="skip primary" onClick={() => main.current?.focus()}>
        {common.skip}
      </button>
      <TopBar />
      <header class="side">
        <a class="brand" href={to.home()}>
          <Drawn markup={drawMark(18)} />
          {common.product}
        </a>
        <Navigation who={who} />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <Banners />
        {children}
      </main>
    </div>
  )
}

function TopBar() {
  const { common } = t.value
  return (
    <header class="topbar">
      <a class="brand" href={to.home()}>
        <Drawn markup={drawMark(18)} />
        {common.product}
      </a>
      <button type="button" class="icon-button" onClick={openPalette} aria-label={common.search}>
        <Icon name="search" />
      </button>
      <button
        type="button"
        class="icon-button"
        popovertarget="side-menu"
        aria-label={common.menu}
        title={common.menu}
      >
        <Icon name="menu" />
      </button>
      <NarrowMenu />
    </header>
  )
}

function NarrowMenu() {
  const { path } = useLocation()
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => menu.current?.hidePopover(), [path])
  const who = session.value
  return (
    <div ref={menu} id="side-menu" popover="auto" class="menu narrow-menu">
      {who && <Navigation who={who} />}
    </div>
  )
}

function openPalette(): void {
  isPaletteOpen.value = true
}

function Navigation({ who }: { who: Session }) {
  const { path } = useLocation()
  const { nav, session: texts, common } = t.value
  return (
    <>
      <button type="button" class="palette-button" onClick={openPalette}>
        <Icon name="search" />
        <span>{common.search}</span>
        <kbd>{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav aria-label={nav.main}>
        <ul>
          {placesOf(who.kind).map(({ href, label }) => (
            <li key={href}>
              <a href={href} aria-current={isWithin(path, href) ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <p class="who">
          <span class="quiet">{roleOf(who)}</span>
          {who.kind === 'owner' && <span class="who-name">{nameOf(who)}</span>}
        </p>
        <a href={to.reference()}>{nav.reference}</a>
        <button type="button" class="link" onClick={signOut}>
          {texts.signOut}
        </button>
      </div>
    </>
  )
}

/** Of a person whom the account has invited, the role there. */
function roleOf(who: Session): string {
  const { team, session: texts } = t.value
  const member = who.kind === 'owner' && who.member
  return member && !member.isOwner ? team.roles[member.role] : texts.kinds[who.kind]
}

function nameOf({ owner, member }: Session & { kind: 'owner' }): string {
  const { name, email } = member ?? owner
  return name ?? email
}

function isWithin(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`)
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform)
}

function Banners() {
  const { states, testData } = t.value
  const kind = session.value?.kind
  const { until = 0, isLimit } = waiting.value ?? {}
  const seconds = Math.ceil((until - Math.max(now.value, Date.now())) / 1000)
  return (
    <div role="status">
      {isTestMode.value && (
        <p class="banner banner-warn">
          {kind === 'operator' ? testData.operatorBanner : testData.banner}{' '}
          {kind !== 'platform' && (
            <button type="button" class="link" onClick={() => switchMode(false)}>
              {testData.leave}
            </button>
          )}
        </p>
      )}
      {isOffline.value && <p class="banner banner-warn">{states.offlineBanner}</p>}
      {seconds > 0 && (
        <p class="banner banner-warn">
          {isLimit ? states.limited : states.busy} {states.goesOn(seconds)}
        </p>
      )}
    </div>
  )
}
