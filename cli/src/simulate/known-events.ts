/**
 * Events with external names in 12 bytes each, so that millions of them fit into memory: 64 bits of a
 * hash of the name, 32 of what the event says. That two of ten million names are taken for one has a
 * probability of three in a million.
 */
import type { RecordedEvent } from '../../../src/domain/agent.ts'
import { canonicalData } from '../../../src/fraud/digest.ts'
import type { KnownEvents } from '../../../src/ingest/batch-state.ts'
import type { ContentDigest } from '../../../src/ingest/report.ts'

/** A simulation compares what events say by 32 bits. The next digest overwrites the one before. */
export const smallDigest: ContentDigest = (_, { type, occurredAt = NO_TIME, data = {} }) => {
  const { high } = hashesOf([type, canonicalData(data)])
  // Both halves of the time, which has up to 53 bits.
  said.word[0] = mix(mix(high ^ (occurredAt / 2 ** 32)) ^ (occurredAt >>> 0))
  return said.bytes
}

/** Of an event without a time of its own: beyond any that a date can have. */
const NO_TIME = 2 ** 53

/** Four bytes, and the same as a number. */
function digestOfOneWord() {
  const word = new Uint32Array(1)
  return { word, bytes: new Uint8Array(word.buffer) }
}

const said = digestOfOneWord()
const saidBefore = digestOfOneWord()
const wordOf = digestOfOneWord()

/** A power of two. */
const SLOTS_FIRST = 1 << 12
/** Beyond it a search takes more than a few steps. */
const LOAD_MAX = 0.6
/** Of a slot: both parts of the name, 0 where the slot is free, and what the event says. */
const WORDS = 3

export interface SmallKnownEvents extends KnownEvents {
  /** What all the names take. */
  bytes(): number
}

export function createKnownEvents(): SmallKnownEvents {
  let slots = SLOTS_FIRST
  let table = new Uint32Array(WORDS * slots)
  let count = 0
  let latest = { key: '', name: hashesOf([]) }

  /** A name is looked for, and put there next. */
  function nameOf(key: string): Name {
    if (latest.key !== key) {
      latest = { key, name: hashesOf([key]) }
    }
    return latest.name
  }

  /** Where the name is, or is to be put: the next slot that is free. */
  function placeOf(high: number, low: number): number {
    let place = WORDS * (low & (slots - 1))
    while (!isFree(place) && (table[place] !== high || table[place + 1] !== low)) {
      place = (place + WORDS) % table.length
    }
    return place
  }

  function isFree(place: number): boolean {
    return table[place] === 0 && table[place + 1] === 0
  }

  function put(high: number, low: number, content: number): void {
    const place = placeOf(high, low)
    table[place] = high
    table[place + 1] = low
    table[place + 2] = content
  }

  function grow(): void {
    const before = table
    slots *= 2
    table = new Uint32Array(WORDS * slots)
    for (let i = 0; i < before.length; i += WORDS) {
      const [high, low, content] = [before[i], before[i + 1], before[i + 2]] as [
        number,
        number,
        number,
      ]
      if (high !== 0 || low !== 0) {
        put(high, low, content)
      }
    }
  }

  return {
    get(key) {
      const { high, low } = nameOf(key)
      const place = placeOf(high, low)
      if (isFree(place)) {
        return undefined
      }
      saidBefore.word[0] = table[place + 2] as number
      return { event: REPEATED, digest: saidBefore.bytes }
    },
    set(key, { digest }) {
      const { high, low } = nameOf(key)
      wordOf.bytes.set(digest)
      put(high, low, wordOf.word[0] as number)
      count += 1
      if (count > LOAD_MAX * slots) {
        grow()
      }
    },
    bytes: () => table.byteLength,
  }
}

/** What an earlier event said is not kept, only that it was there. */
const REPEATED: RecordedEvent = {
  id: '',
  agentId: '',
  seq: 0,
  type: 'task.completed',
  data: {},
  occurredAt: 0,
  createdAt: 0,
  reporter: { kind: 'system', id: 'system' },
  self: false,
  voter: null,
  reporterWeight: 1,
  share: 1,
  hardness: 0,
  externalId: null,
  importedAt: null,
  salt: null,
  fraudFlags: [],
  quarantineReason: null,
  isQuarantined: false,
  findings: [],
  attestationVerified: false,
  review: null,
  chain: null,
}

interface Name {
  readonly high: number
  readonly low: number
}

/** Two hashes of 32 bits (FNV-1a with other factors, then the finaliser of MurmurHash3) of texts, each ended
 *  by a line feed. To join the texts first would take longer. */
function hashesOf(texts: readonly string[]): Name {
  let high = 0x811c9dc5
  let low = 0x2b0d3f19
  for (const text of texts) {
    for (let i = 0; i <= text.length; i++) {
      const unit = i < text.length ? text.charCodeAt(i) : LINE_FEED
      high = Math.imul(high ^ unit, 0x85ebca6b)
      low = Math.imul(low ^ unit, 0xc2b2ae35)
    }
  }
  const mixed = { high: mix(high ^ (low >>> 15)), low: mix(low ^ (high >>> 13)) }
  return mixed.high === 0 && mixed.low === 0 ? { high: 1, low: 0 } : mixed
}

const LINE_FEED = 10

function mix(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
