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
type ReporterRow = [string, number, number, number, number, number, number, number, number?]
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
  const { recent, minute, nearDuplicates, payments, reporters, named, days, given } = profile
  const { goodShare, credentialTypes } = profile
  return (
    `[${FORM},"${recent}",[${minute.startedAt},${minute.self},${minute.platform}],` +
    `[${duplicatesText(nearDuplicates)}],[${payments.count},${payments.mean}],` +
    `[${reportersText(reporters)}],"${named}",[${days.last},${days.goodToday},${days.usual},` +
    `${days.active},${days.reactivatedOn},${days.sinceReactivated},${days.ownPlatform},` +
    `${days.ownCredentials}],[${given.all},${given.edge}],[${goodShare.count},${goodShare.long},` +
    `${goodShare.short}],"${credentialTypes.map(typeText).join(' ')}"]`
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
    minute: { startedAt: minute[0], self: minute[1], platform: minute[2] },
    nearDuplicates: duplicates.flatMap(([shape, ...figures]) =>
      figures.length === NEAR_DUPLICATE_LENGTH - 1 ? [hashOfText(shape), ...figures] : [],
    ),
    payments: { count: payments[0], mean: payments[1] },
    reporters: reporters.map(reporterOf),
    named,
    days: {
      last: days[0],
      goodToday: days[1],
      usual: days[2],
      active: days[3],
      reactivatedOn: days[4],
      sinceReactivated: days[5],
      ownPlatform: days[6],
      ownCredentials: days[7],
    },
    given: { all: given[0], edge: given[1] },
    credentialTypes: types === '' ? [] : types.split(' ').map(typeOf),
    goodShare: { count: goodShare[0], long: goodShare[1], short: goodShare[2] },
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
  for (const { tag, good, bad, prompt, late, day, days, today, comparableToday } of reporters) {
    text +=
      `${text === '' ? '' : ','}["${tag}",${good},${bad},${prompt},${late},${day},${days},` +
      `${today},${comparableToday}]`
  }
  return text
}

function reporterOf(row: ReporterRow): KnownReporter {
  // One that was written before those that are comparable were counted has none.
  const [tag, good, bad, prompt, late, day, days, today, comparableToday = 0] = row
  return { tag, good, bad, prompt, late, day, days, today, comparableToday }
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
