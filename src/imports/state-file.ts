/**
 * States of agents in a file, so that a dry run takes no more memory for more agents than where in the file
 * each of them is.
 */
import { readSync, writeSync } from 'node:fs'
import { decodeEvidence, encodeEvidence } from '../domain/evidence-codec.ts'
import type { Model } from '../domain/model.ts'
import { decodeProfile, encodeProfile } from '../fraud/profile-codec.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import { openUnnamedFile } from '../lib/unnamed-file.ts'
import type { AgentState } from '../store/store.ts'

export interface StateFile {
  has(agentId: string): boolean
  get(agentId: string): AgentState | undefined
  set(state: AgentState): void
  close(): Promise<void>
}

/** States kept at hand, some 10 kB each: those of agents with many lines in a row are seldom written. */
const AT_HAND_MAX = 1_000

/** A place is a multiple of this, so that a state that has grown mostly fits again. */
const PLACE_BYTES = 2_048

interface Place {
  readonly at: number
  readonly capacity: number
  readonly length: number
}

export async function createStateFile(model: Model, atHandMax = AT_HAND_MAX): Promise<StateFile> {
  const file = await openUnnamedFile()
  const places = new Map<string, Place>()
  const atHand = createBoundedMap<string, AgentState>(atHandMax, write)
  let end = 0
  // Used again and again: a buffer for each state would be freed long after it.
  let buffer = Buffer.allocUnsafeSlow(16 * PLACE_BYTES)

  function write(agentId: string, state: AgentState): void {
    const evidence = encodeEvidence(state.evidence)
    const text = textOf(state)
    const length = LENGTH_BYTES + evidence.length + Buffer.byteLength(text)
    if (length > buffer.length) {
      buffer = Buffer.allocUnsafeSlow(2 * length)
    }
    buffer.writeUInt32BE(evidence.length)
    buffer.set(evidence, LENGTH_BYTES)
    buffer.write(text, LENGTH_BYTES + evidence.length)
    const before = places.get(agentId)
    const fits = before !== undefined && before.capacity >= length
    const capacity = fits ? before.capacity : PLACE_BYTES * Math.ceil(length / PLACE_BYTES)
    const at = fits ? before.at : end
    end = fits ? end : end + capacity
    writeSync(file.fd, buffer, 0, length, at)
    places.set(agentId, { at, capacity, length })
  }

  function read({ at, length }: Place): AgentState {
    readSync(file.fd, buffer, 0, length, at)
    return decodeState(model, buffer.subarray(0, length))
  }

  return {
    has: (agentId) => atHand.get(agentId) !== undefined || places.has(agentId),
    get(agentId) {
      const place = places.get(agentId)
      return atHand.get(agentId) ?? (place && read(place))
    },
    set: (state) => atHand.set(state.agentId, state),
    close: () => file.close(),
  }
}

/** What follows the evidence and its length. */
function textOf({ evidence: _, profile, chain, ...rest }: AgentState): string {
  return JSON.stringify([rest, Buffer.from(chain).toString('base64'), encodeProfile(profile)])
}

function decodeState(model: Model, bytes: Buffer): AgentState {
  const end = LENGTH_BYTES + bytes.readUInt32BE()
  const [rest, chain, profile] = JSON.parse(bytes.toString('utf8', end)) as [
    Omit<AgentState, 'evidence' | 'profile' | 'chain'>,
    string,
    string,
  ]
  return {
    ...rest,
    evidence: decodeEvidence(model, bytes.subarray(LENGTH_BYTES, end)),
    profile: decodeProfile(profile),
    chain: Buffer.from(chain, 'base64'),
  }
}

const LENGTH_BYTES = 4
