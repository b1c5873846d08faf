import type { Fault } from '../fault.ts'

/** Of the commits in this time, the share whose answer is lost. */
const SHARE = 0.2
const REPORTS = 60

/** Commits happen, and their connection ends before the answer has come. */
export const lostCommits: Fault = {
  name: 'lost COMMIT answers',
  what: 'of every five commits one happens, and its answer is lost with the connection',
  async strike({ stage: { proxy }, load }) {
    const stop = proxy?.loseCommits(SHARE)
    await load.more(REPORTS)
    if (stop?.() === 0) {
      throw new Error('no answer of a commit was lost')
    }
  },
}
