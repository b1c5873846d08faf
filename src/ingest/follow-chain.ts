import { type Link, nextLink } from './chain.ts'
import { isSame } from './digest.ts'

/** An event that counts, as its log says that it was chained. */
export interface ChainedEvent {
  readonly link: Link
  readonly stored: Uint8Array | null
  /** Whether the reader of the log folds it. */
  readonly counts: boolean
}

/** The chain of a log that is read in the order in which it is folded. */
export interface ChainFollower {
  /** The chain as it was stored, and that of what is folded, so far. */
  readonly stored: Uint8Array
  readonly folded: Uint8Array
  pass(event: ChainedEvent): void
  /** Call behind the last event. */
  end(): void
}

/** The log is not the one that was chained when its events were folded. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  /** The first entry that differs; null where the end is missing. */
  readonly entry: Pick<Link, 'id' | 'seq'> | null

  constructor(problem: string, entry: ChainError['entry'] = null) {
    super(problem)
    this.entry = entry
  }
}

/**
 * An event that was released is folded in its own place, but chained where the log was when it was released.
 * Until then it waits here: as much memory as there are such events.
 */
export function followChain(first: Uint8Array): ChainFollower {
  let stored = first
  let folded = first
  let count = 0
  const released: ChainedEvent[] = []

  function add({ link, stored: expected, counts }: ChainedEvent): void {
    const wereSame = stored === folded
    stored = nextLink(stored, link)
    count += 1
    if (!isSame(stored, expected)) {
      throw new ChainError('it is not what was chained when it was folded', link)
    }
    if (counts) {
      folded = wereSame ? stored : nextLink(folded, link)
    }
  }

  function addReleased(isDue: (event: ChainedEvent) => boolean): void {
    while (released[0] && isDue(released[0])) {
      add(released.shift() as ChainedEvent)
    }
  }

  return {
    get stored() {
      return stored
    },
    get folded() {
      return folded
    },
    pass(event) {
      if (event.link.chainIndex === undefined) {
        addReleased((next) => indexOf(next) === count + 1)
        add(event)
        return
      }
      released.push(event)
      released.sort((a, b) => indexOf(a) - indexOf(b))
    },
    end() {
      addReleased(() => true)
    },
  }
}

function indexOf({ link }: ChainedEvent): number {
  return link.chainIndex ?? 0
}
