/**
 * Evidence as bytes, exact: what is stored in four bytes is of single precision in memory too. A
 * platform takes 64 bytes and its id (17 for a UUID), and 16 more under alarm; with 24 of them an agent is
 * 2.3 kB. Each class of work of a platform takes 17 more, and two for each letter of its name.
 */

import { type ByteReader, type ByteWriter, byteReader, byteWriter } from './bytes.ts'
import { type ClassTotals, NO_CLASSES } from './class-trust.ts'
import type { Evidence } from './evidence-state.ts'
import type { Model } from './model.ts'
import type { OutcomeCounts } from './outcome-counts.ts'
import { NO_PARTIES, PARTY_LENGTH, type PartySums, type SumPlace } from './parties.ts'
import type { Source, SourceTotals } from './source.ts'
import { NO_SUMS, type Sums, single } from './sums.ts'
import { sourceOf } from './vote.ts'

/** The first byte; other fields, and another way to fold into the same ones, need another number. */
const FORM = 15

/** Without the reports since an alarm began. Logs have it: a successor carries its predecessor's evidence. */
const FORM_WITHOUT_LATEST = 8

/** Without the times of reports; logs have it too. */
const FORM_WITHOUT_TIMES = 9

/** With handovers among the self-reports, and with when a series began instead of when it ends; logs have it too. */
const FORM_WITHOUT_HANDOVERS = 10

/** Without what was reported of deals; logs have it too. */
const FORM_WITHOUT_DEALS = 11

/** Without what good reports with a counterparty offset; logs have it too. */
const FORM_WITHOUT_COVER = 12

/** Folded before provisional platforms after the eighth shared votes; logs have it too. */
const FORM_WITHOUT_PROVISIONAL_SHARES = 13

/** Folded before voters that lost their weight could withdraw what they had found; logs have it too. */
const FORM_WITHOUT_WITHDRAWALS = 14

const FORMS: readonly number[] = [
  FORM_WITHOUT_LATEST,
  FORM_WITHOUT_TIMES,
  FORM_WITHOUT_HANDOVERS,
  FORM_WITHOUT_DEALS,
  FORM_WITHOUT_COVER,
  FORM_WITHOUT_PROVISIONAL_SHARES,
  FORM_WITHOUT_WITHDRAWALS,
  FORM,
]

/** Whether the bytes are in this form. Those that another model wrote may not be. */
export function isEvidenceReadable(bytes: Uint8Array): boolean {
  return bytes[0] === FORM
}

/** What evidence began with. Its place is the same in every form, so that a log can always be folded again. */
export function decodeRegistration(
  bytes: Uint8Array,
): Pick<Evidence, 'registeredAt' | 'initialCeiling'> {
  const from = byteReader(bytes)
  from.u8()
  return { registeredAt: from.f64(), initialCeiling: from.f64() }
}

/** Exact: decodeEvidence gives back the same numbers. */
export function encodeEvidence(evidence: Evidence): Uint8Array {
  const to = byteWriter()
  to.u8(FORM)
  to.f64(evidence.registeredAt)
  to.f64(evidence.initialCeiling)
  to.f64(evidence.at)
  to.u32(evidence.reliabilityCount)
  to.u32(evidence.financialCount)
  to.u32(evidence.identityCount)
  to.u32(evidence.carriedCount)
  to.u32(evidence.importedCount)
  to.u32(evidence.selfCount)
  to.u32(evidence.handoverCount)
  to.i32(evidence.firstDay)
  to.u32(evidence.activeDays)
  to.u8(evidence.activeToday)
  to.u32(evidence.formerDays)
  to.f64(evidence.ceiling)
  to.f64(evidence.parentCeiling)
  to.f64(evidence.verified)
  to.f64(evidence.claimed)
  to.f64(evidence.revoked)
  to.f64(evidence.withdrawn)
  writeOutcomes(to, evidence.outcomeCounts.tasks)
  writeOutcomes(to, evidence.outcomeCounts.upkeep)
  writeOutcomes(to, evidence.outcomeCounts.payments)
  writeSource(to, evidence.crowd)
  writeSource(to, evidence.self)
  writeAll(to, evidence.sources, writeSource)
  return to.bytes()
}

/** The totals of one vote, without its classes of work. */
export function encodeTotals(source: SourceTotals): Uint8Array {
  const to = byteWriter()
  writeSource(to, { ...source, classes: NO_CLASSES })
  return to.bytes()
}

/** Throws on bytes of another form. */
export function decodeEvidence(model: Model, bytes: Uint8Array): Evidence {
  const from = byteReader(bytes)
  const form = from.u8()
  if (!FORMS.includes(form)) {
    throw new Error(`evidence of form ${form}, expected one of ${FORMS.join(', ')}`)
  }
  // One literal in the order of MutableEvidence: all evidence is of one shape, and nothing is spread.
  const registeredAt = from.f64()
  const initialCeiling = from.f64()
  const at = from.f64()
  const reliabilityCount = from.u32()
  const financialCount = from.u32()
  const identityCount = from.u32()
  const carriedCount = from.u32()
  const importedCount = from.u32()
  const selfCount = from.u32()
  const handoverCount = form > FORM_WITHOUT_HANDOVERS ? from.u32() : 0
  const firstDay = from.i32()
  const activeDays = from.u32()
  const activeToday = from.u8()
  const formerDays = from.u32()
  const ceiling = from.f64()
  const parentCeiling = from.f64()
  const verified = from.f64()
  const claimed = from.f64()
  const revoked = from.f64()
  const withdrawn = from.f64()
  const tasks = readOutcomes(from)
  const upkeep = readOutcomes(from)
  const payments = readOutcomes(from)
  const read = (bytes: ByteReader) => readSource(model, bytes, activeDays, form)
  return {
    registeredAt,
    initialCeiling,
    at,
    reliabilityCount,
    financialCount,
    identityCount,
    carriedCount,
    importedCount,
    selfCount,
    handoverCount,
    firstDay,
    activeDays,
    activeToday,
    formerDays,
    ceiling,
    parentCeiling,
    crowd: read(from),
    self: read(from),
    sources: readAll(from, read),
    verified,
    claimed,
    revoked,
    withdrawn,
    outcomeCounts: { tasks, upkeep, payments },
  }
}

function writeAll<T>(
  to: ByteWriter,
  all: readonly T[],
  write: (to: ByteWriter, one: T) => void,
): void {
  to.u8(all.length)
  for (const one of all) {
    write(to, one)
  }
}

function readAll<T>(from: ByteReader, read: (from: ByteReader) => T): readonly T[] {
  const count = from.u8()
  const all: T[] = []
  for (let i = 0; i < count; i++) {
    all.push(read(from))
  }
  return all
}

function writeOutcomes(to: ByteWriter, outcomes: OutcomeCounts): void {
  to.f64(outcomes.good)
  to.f64(outcomes.bad)
  to.f64(outcomes.recentGood)
  to.f64(outcomes.recentBad)
  to.f64(outcomes.likelihoodRatio)
}

function readOutcomes(from: ByteReader): OutcomeCounts {
  return {
    good: from.f64(),
    bad: from.f64(),
    recentGood: from.f64(),
    recentBad: from.f64(),
    likelihoodRatio: from.f64(),
  }
}

/** Reporter weights are tenths, halves or ones: a byte of two-hundredths gives back the same number. */
const WEIGHT_UNITS = 200

function writeSource(to: ByteWriter, source: SourceTotals): void {
  to.text(source.voter)
  writeSums(to, source)
  to.f32(source.alarm)
  // There are none without an alarm.
  if (source.alarm > 0) {
    writeSums(to, source.latest)
  }
  to.u32(source.reportedAt)
  to.u32(source.seriesUntil)
  to.f32(source.run)
  to.f32(source.carried)
  to.u8(Math.round(source.positiveWeightMax * WEIGHT_UNITS))
  to.u8(Math.round(source.negativeWeightMax * WEIGHT_UNITS))
  to.f32(source.dealGood)
  to.f32(source.dealBad)
  to.u32(source.complaintDay)
  to.u32(source.uptimes)
  to.u32(source.uptimesBefore)
  to.f32(source.paidCount)
  writeAll(to, source.classes, writeClass)
  writeParties(to, source.parties)
  if (source.parties.length > 0) {
    to.u32(source.unnamedCount)
    to.f32(source.cover)
  }
}

function readSource(model: Model, from: ByteReader, activeDays: number, form: number): Source {
  const voter = from.text()
  const sums = readSums(from)
  const alarm = from.f32()
  const latest = alarm > 0 && form > FORM_WITHOUT_LATEST ? readSums(from) : NO_SUMS
  const isTimed = form > FORM_WITHOUT_TIMES
  const hasDeals = form > FORM_WITHOUT_DEALS
  const reportedAt = isTimed ? from.u32() : 0
  const seriesTime = isTimed ? from.u32() : 0
  const run = from.f32()
  const carried = from.f32()
  const positiveWeightMax = from.u8() / WEIGHT_UNITS
  const negativeWeightMax = from.u8() / WEIGHT_UNITS
  // All reports are taken for reports of deals where the deals are not known.
  const good = single(sums.reliabilityGood + sums.financialGood)
  const bad = single(sums.reliabilityBad + sums.financialBad)
  const totals = {
    voter,
    ...sums,
    alarm,
    latest,
    reportedAt,
    seriesUntil: form > FORM_WITHOUT_HANDOVERS ? seriesTime : 0,
    run,
    carried,
    positiveWeightMax,
    negativeWeightMax,
    dealGood: hasDeals ? from.f32() : Math.min(model.goodFull, good),
    dealBad: hasDeals ? from.f32() : Math.min(model.massMax, bad),
    complaintDay: from.u32(),
    uptimes: isTimed ? from.u32() : 0,
    uptimesBefore: isTimed ? from.u32() : 0,
    paidCount: isTimed ? from.f32() : Math.min(model.exposurePaymentsFull, sums.financialGood),
    classes: readClasses(from),
    parties: readParties(from),
    unnamedCount: 0,
    cover: 0,
  }
  // Only reporters that name counterparties have it.
  if (isTimed && totals.parties.length > 0) {
    totals.unnamedCount = from.u32()
    totals.cover = form > FORM_WITHOUT_COVER ? from.f32() : 0
  }
  return sourceOf(model, totals, activeDays)
}

function writeSums(to: ByteWriter, sums: Sums): void {
  to.f32(sums.reliabilityGood)
  to.f32(sums.reliabilityBad)
  to.f32(sums.financialGood)
  to.f32(sums.financialBad)
}

function readSums(from: ByteReader): Sums {
  return {
    reliabilityGood: from.f32(),
    reliabilityBad: from.f32(),
    financialGood: from.f32(),
    financialBad: from.f32(),
  }
}

/** Groups of which anything is known, with a bit for each of their sums that is not nothing. */
function writeParties(to: ByteWriter, parties: PartySums): void {
  let groups = 0
  for (let i = 0; i < parties.length; i += PARTY_LENGTH) {
    groups += knownSums(parties, i) > 0 ? 1 : 0
  }
  to.u8(groups)
  for (let i = 0; i < parties.length; i += PARTY_LENGTH) {
    const known = knownSums(parties, i)
    if (known === 0) {
      continue
    }
    to.u8(parties[i] as number)
    to.u8(known)
    for (let place = 1; place < PARTY_LENGTH; place++) {
      const sum = parties[i + place] as number
      if (sum > 0) {
        to.f32(sum)
      }
    }
  }
}

/** The bits of the sums of the group that begins there. */
function knownSums(parties: PartySums, group: number): number {
  let bits = 0
  for (let place = 1; place < PARTY_LENGTH; place++) {
    bits |= (parties[group + place] as number) > 0 ? 1 << (place - 1) : 0
  }
  return bits
}

function readParties(from: ByteReader): PartySums {
  const groups = from.u8()
  if (groups === 0) {
    return NO_PARTIES
  }
  const parties: number[] = []
  for (let read = 0; read < groups; read++) {
    const group = from.u8()
    const known = from.u8()
    const sum = (place: SumPlace) => (known & (1 << place) ? from.f32() : 0)
    parties.push(group, sum(0), sum(1), sum(2), sum(3))
  }
  return parties
}

function writeClass(to: ByteWriter, totals: ClassTotals): void {
  to.text(totals.name)
  to.f32(totals.good)
  to.f32(totals.bad)
  to.u32(totals.goodCount)
  to.u32(totals.badCount)
}

/** Most reporters name none: the same empty list serves them all. */
function readClasses(from: ByteReader): readonly ClassTotals[] {
  const classes = readAll(from, readClass)
  return classes.length === 0 ? NO_CLASSES : classes
}

function readClass(from: ByteReader): ClassTotals {
  return {
    name: from.text(),
    good: from.f32(),
    bad: from.f32(),
    goodCount: from.u32(),
    badCount: from.u32(),
  }
}
