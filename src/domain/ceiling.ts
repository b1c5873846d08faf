/** The ceiling that the score of one agent makes for another one of its owner. */

/** A ceiling is a multiple of this, so a score that moves by a few points writes no events. */
export const CEILING_STEP = 10

export function ceilingBy(score: number): number {
  return CEILING_STEP * Math.floor(score / CEILING_STEP)
}
