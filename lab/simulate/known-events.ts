/**
 * Events with external names in 12 bytes each, so that millions of them fit into memory: 64 bits of a
 * hash of the name, 32 of what the event says. That two of ten million names are taken for one has a
 * probability of three in a million.
 */
import type { RecordedEvent } from '../../src/domain/agent.ts'
import { canonicalData } from '../../src/fraud/digest.ts'
import type { KnownEvents } from '../../src/ingest/batch-state.ts'
import type { ContentDigest } from '../../src/ingest/report.ts'

/** A simulation compares what events say by 32 bits. */
export const smallDigest: ContentDigest = (_, { type, occurredAt = '', data = {} }) =>
  bytesOf(hashesOf(`${type}\n${occurredAt}\n${canonicalData(data)}`)[0])

/** A power of two. */
const SLOTS_FIRST = 1 << 12
/** Beyond it a search takes more than a few steps. */
const LOAD_MAX = 0.6

interface Table {
  readonly slots: number
  /** Both 0 in a free slot. */
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly content: Uint32Array
}

export interface SmallKnownEvents extends KnownEvents {
  /** What all the names take. */
  bytes(): number
}

export function createKnownEvents(): SmallKnownEvents {
  let table = tableOf(SLOTS_FIRST)
  let count = 0

  function grow(): void {
    const { slots, high, low, content } = table
    table = tableOf(2 * slots)
    for (let i = 0; i < slots; i++) {
      const name = [high[i] ?? 0, low[i] ?? 0] as const
      if (!isFree(name)) {
        put(table, slotOf(table, name), name, content[i] ?? 0)
      }
    }
  }

  return {
    get(key) {
      const name = hashesOf(key)
      const slot = slotOf(table, name)
      if (table.high[slot] === 0 && table.low[slot] === 0) {
        return undefined
      }
      return { event: REPEATED, digest: bytesOf(table.content[slot] ?? 0) }
    },
    set(key, { digest }) {
      const name = hashesOf(key)
      put(table, slotOf(table, name), name, numberOf(digest))
      count += 1
      if (count > LOAD_MAX * table.slots) {
        grow()
      }
    },
    bytes: () => table.high.byteLength + table.low.byteLength + table.content.byteLength,
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

type Name = readonly [high: number, low: number]

function tableOf(slots: number): Table {
  const [high, low, content] = [0, 1, 2].map(() => new Uint32Array(slots)) as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ]
  return { slots, high, low, content }
}

function isFree([high, low]: Name): boolean {
  return high === 0 && low === 0
}

/** Where the name is, or is to be put: the next slot that is free. */
function slotOf({ slots, high, low }: Table, [nameHigh, nameLow]: Name): number {
  let slot = nameLow & (slots - 1)
  while (
    (high[slot] !== 0 || low[slot] !== 0) &&
    (high[slot] !== nameHigh || low[slot] !== nameLow)
  ) {
    slot = (slot + 1) & (slots - 1)
  }
  return slot
}

function put({ high, low, content }: Table, slot: number, name: Name, said: number): void {
  high[slot] = name[0]
  low[slot] = name[1]
  content[slot] = said
}

/** Two hashes of 32 bits (FNV-1a with other factors, then the finaliser of MurmurHash3). */
function hashesOf(text: string): Name {
  let high = 0x811c9dc5
  let low = 0x2b0d3f19
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    high = Math.imul(high ^ unit, 0x85ebca6b)
    low = Math.imul(low ^ unit, 0xc2b2ae35)
  }
  const mixed = [mix(high ^ (low >>> 15)), mix(low ^ (high >>> 13))] as const
  return isFree(mixed) ? [1, 0] : mixed
}

function mix(hash: number): number {
  let h = hash
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function bytesOf(number: number): Uint8Array {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number)
}

function numberOf([a = 0, b = 0, c = 0, d = 0]: Uint8Array): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
}
