/**
 * Evidence as bytes, exact: sums are single precision in memory too. A platform takes 26 bytes and its
 * id (16 for a UUID, else its UTF-8 and a length); with 24 platforms an agent is about a kilobyte.
 */
import { type Evidence, newEvidence } from './evidence.ts'
import type { Model } from './model.ts'
import { type Said, type Source, sourceOf } from './source.ts'

/** First byte; another order of fields needs another number. */
const FORM = 3
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SAID = ['workGood', 'workBad', 'moneyGood', 'moneyBad', 'alarm', 'carried'] as const
const WHOLE = [
  'workCount',
  'moneyCount',
  'identityCount',
  'selfCount',
  'activeDays',
  'activeToday',
] as const
const EXACT = [
  'registeredAt',
  'initialCeiling',
  'at',
  'verified',
  'claimed',
  'revoked',
  'withdrawn',
] as const
const TALLIES = ['tasks', 'upkeep', 'payments'] as const
const TALLY = ['good', 'bad', 'recentGood', 'recentBad', 'likelihoodRatio'] as const

class Writer {
  private view = new DataView(new ArrayBuffer(256))
  private length = 0
  private room(bytes: number): number {
    const at = this.length
    this.length += bytes
    if (this.length > this.view.byteLength) {
      const more = new Uint8Array(2 * this.length)
      more.set(new Uint8Array(this.view.buffer))
      this.view = new DataView(more.buffer)
    }
    return at
  }
  u8(x: number): void {
    const at = this.room(1)
    this.view.setUint8(at, x)
  }
  u32(x: number): void {
    const at = this.room(4)
    this.view.setUint32(at, x)
  }
  i32(x: number): void {
    const at = this.room(4)
    this.view.setInt32(at, x)
  }
  f32(x: number): void {
    const at = this.room(4)
    this.view.setFloat32(at, x)
  }
  f64(x: number): void {
    const at = this.room(8)
    this.view.setFloat64(at, x)
  }
  text(text: string): void {
    if (UUID.test(text)) {
      this.u8(255)
      const hex = text.replaceAll('-', '')
      for (let i = 0; i < 32; i += 2) {
        this.u8(Number.parseInt(hex.slice(i, i + 2), 16))
      }
      return
    }
    const bytes = new TextEncoder().encode(text)
    if (bytes.length > 254) {
      throw new Error('an id is longer than 254 bytes')
    }
    this.u8(bytes.length)
    for (const byte of bytes) {
      this.u8(byte)
    }
  }
  bytes(): Uint8Array {
    return new Uint8Array(this.view.buffer, 0, this.length).slice()
  }
}

class Reader {
  private place = 0
  private readonly view: DataView
  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  private next(bytes: number): number {
    this.place += bytes
    return this.place - bytes
  }
  u8(): number {
    return this.view.getUint8(this.next(1))
  }
  u32(): number {
    return this.view.getUint32(this.next(4))
  }
  i32(): number {
    return this.view.getInt32(this.next(4))
  }
  f32(): number {
    return this.view.getFloat32(this.next(4))
  }
  f64(): number {
    return this.view.getFloat64(this.next(8))
  }
  text(): string {
    const length = this.u8()
    if (length !== 255) {
      return new TextDecoder().decode(Uint8Array.from({ length }, () => this.u8()))
    }
    const hex = Array.from({ length: 16 }, () => this.u8().toString(16).padStart(2, '0')).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  }
}

export function encodeEvidence(evidence: Evidence): Uint8Array {
  const to = new Writer()
  to.u8(FORM)
  for (const name of EXACT) {
    to.f64(evidence[name])
  }
  for (const name of WHOLE) {
    to.u32(evidence[name])
  }
  to.i32(evidence.firstDay)
  for (const name of TALLIES) {
    for (const part of TALLY) {
      to.f64(evidence.tallies[name][part])
    }
  }
  writeSource(to, evidence.crowd)
  writeSource(to, evidence.self)
  to.u8(evidence.sources.length)
  for (const source of evidence.sources) {
    writeSource(to, source)
  }
  to.u8(evidence.classes.length)
  for (const { name, good, bad } of evidence.classes) {
    to.text(name)
    to.f32(good)
    to.f32(bad)
  }
  return to.bytes()
}

/** Weights are tenths, halves or ones: a twentieth is exact enough to give back the same number. */
function writeSource(to: Writer, source: Source): void {
  to.text(source.reporter)
  for (const name of SAID) {
    to.f32(source[name])
  }
  to.u8(Math.round(source.upWeight * 200))
  to.u8(Math.round(source.downWeight * 200))
  to.u32(source.complainedOn)
}

/** Throws on bytes of another form. */
export function decodeEvidence(model: Model, bytes: Uint8Array): Evidence {
  const from = new Reader(bytes)
  const form = from.u8()
  if (form !== FORM) {
    throw new Error(`evidence of form ${form}, expected ${FORM}`)
  }
  const exact = Object.fromEntries(EXACT.map((name) => [name, from.f64()]))
  const whole = Object.fromEntries(WHOLE.map((name) => [name, from.u32()]))
  const activeDays = whole.activeDays ?? 0
  const firstDay = from.i32()
  const tallies = Object.fromEntries(
    TALLIES.map((name) => [name, Object.fromEntries(TALLY.map((part) => [part, from.f64()]))]),
  )
  const crowd = readSource(model, from, activeDays)
  const self = readSource(model, from, activeDays)
  const sources = Array.from({ length: from.u8() }, () => readSource(model, from, activeDays))
  const classes = Array.from({ length: from.u8() }, () => ({
    name: from.text(),
    good: from.f32(),
    bad: from.f32(),
  }))
  return {
    ...newEvidence(model, 0),
    ...exact,
    ...whole,
    firstDay,
    tallies,
    crowd,
    self,
    sources,
    classes,
  } as unknown as Evidence
}

function readSource(model: Model, from: Reader, activeDays: number): Source {
  const reporter = from.text()
  const sums = Object.fromEntries(SAID.map((name) => [name, from.f32()]))
  const upWeight = from.u8() / 200
  const downWeight = from.u8() / 200
  return sourceOf(
    model,
    { reporter, ...sums, upWeight, downWeight, complainedOn: from.u32() } as Said,
    activeDays,
  )
}
