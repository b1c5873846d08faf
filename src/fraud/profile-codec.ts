/** Behaviour profiles as compact text: JSON arrays in a fixed order, because they are written with every event. */
import { NEAR_DUPLICATE_LENGTH } from './copies.ts'
import { DIGEST_LENGTH, hashOfText, textOf } from './digest.ts'
import {
  type BehaviourProfile,
  type CredentialTypeUse,
  EMPTY_PROFILE,
  type KnownReporter,
} from './profile.ts'

/** First in the text; another order of fields needs another number. */
const FORM = 4

/** Rows of three, which former releases wrote, have shapes that no event has now. */
type DuplicateRow = [string, ...number[]]
type ReporterRow = [string, ...number[]]
type Row = [
  typeof FORM,
  string,
  [number, number, number],
  DuplicateRow[],
  [number, number],
  ReporterRow[],
  string,
  [number, number, number, number, number, number, number, number],
  [number, number],
  [number, number, number],
  string,
]

/** Put together as text: none of its texts has a character that JSON escapes, and JSON.stringify takes twice as long. */
export function encodeProfile(profile: BehaviourProfile): string {
  const { recent, nearDuplicates, reporters, named, credentialTypes } = profile
  return (
    `[${FORM},"${recent}",[${profile.minuteAt},${profile.ownInMinute},${profile.platformInMinute}],` +
    `[${duplicatesText(nearDuplicates)}],[${profile.payments},${profile.paymentMean}],` +
    `[${reportersText(reporters)}],"${named}",[${profile.lastDay},${profile.goodToday},` +
    `${profile.usualGood},${profile.activeDays},${profile.reactivatedOn},` +
    `${profile.sinceReactivated},${profile.ownPlatformToday},${profile.ownCredentialsToday}],` +
    `[${profile.timed},${profile.timedAtEdge}],[${profile.rated},${profile.goodShareLong},` +
    `${profile.goodShareShort}],"${credentialTypes.map(typeText).join(' ')}"]`
  )
}

/** Profiles of another form are forgotten: they only help to judge, and come back with time. */
export function decodeProfile(text: string): BehaviourProfile {
  const row = JSON.parse(text) as Row
  if (row[0] !== FORM) {
    return EMPTY_PROFILE
  }
  const [, recent, minute, duplicates, payments, reporters, named, days, given, goodShare, types] =
    row
  return {
    recent,
    minuteAt: minute[0],
    ownInMinute: minute[1],
    platformInMinute: minute[2],
    nearDuplicates: duplicates.flatMap(([shape, ...figures]) =>
      figures.length === NEAR_DUPLICATE_LENGTH - 1 ? [hashOfText(shape), ...figures] : [],
    ),
    payments: payments[0],
    paymentMean: payments[1],
    reporters: reporters.map(reporterOf),
    named,
    lastDay: days[0],
    goodToday: days[1],
    usualGood: days[2],
    activeDays: days[3],
    reactivatedOn: days[4],
    sinceReactivated: days[5],
    ownPlatformToday: days[6],
    ownCredentialsToday: days[7],
    timed: given[0],
    timedAtEdge: given[1],
    credentialTypes: types === '' ? [] : types.split(' ').map(typeOf),
    rated: goodShare[0],
    goodShareLong: goodShare[1],
    goodShareShort: goodShare[2],
  }
}

function duplicatesText(figures: readonly number[]): string {
  let text = ''
  for (let i = 0; i < figures.length; i += NEAR_DUPLICATE_LENGTH) {
    const rest = figures.slice(i + 1, i + NEAR_DUPLICATE_LENGTH).join()
    text += `${i > 0 ? ',' : ''}["${textOf(figures[i] as number)}",${rest}]`
  }
  return text
}

function reportersText(reporters: readonly KnownReporter[]): string {
  let text = ''
  for (const { tag, good, bad, prompt, late, day, days, today, ...rest } of reporters) {
    text +=
      `${text === '' ? '' : ','}["${tag}",${good},${bad},${prompt},${late},${day},${days},` +
      `${today},${rest.comparableToday},${rest.badToday},${rest.paidToday},${rest.paidBadToday}]`
  }
  return text
}

function reporterOf([tag, ...figures]: ReporterRow): KnownReporter {
  // One that was written before those of its last day were counted separately has fewer.
  const [good = 0, bad = 0, prompt = 0, late = 0, day = -1, days = 0, today = 0, ...rest] = figures
  const [comparableToday = 0, badToday = 0, paidToday = 0, paidBadToday = 0] = rest
  const ofToday = { comparableToday, badToday, paidToday, paidBadToday }
  return { tag, good, bad, prompt, late, day, days, today, ...ofToday }
}

/** Instead of a share that is 0. */
const NO_SHARE = '-'

/** Its tag, how often 1 is halved for its share, and its count; then, after points, its issuer, its day and its latest. */
function typeText({ issuer, tag, count, share, issuedOn, latest }: CredentialTypeUse): string {
  const halvings = share === 0 ? NO_SHARE : -Math.log2(share)
  return `${tag}${halvings}${count}.${issuer}.${issuedOn}.${latest}`
}

/** One that was written before days were kept has none. */
function typeOf(text: string): CredentialTypeUse {
  const [use = '', issuer = '', issuedOn = '-1', latest = ''] = text.split('.')
  const halvings = use.charAt(DIGEST_LENGTH)
  return {
    issuer,
    tag: use.slice(0, DIGEST_LENGTH),
    count: Number(use.slice(DIGEST_LENGTH + 1)),
    share: halvings === NO_SHARE ? 0 : 2 ** -Number(halvings),
    issuedOn: Number(issuedOn),
    latest,
  }
}
