import fc from 'fast-check'

/**
 * The seed of the cases that properties are tested with. `.ci/run` sets it, so that a change is judged by
 * the same cases as the one before it. Without it each run draws new cases; fast-check prints the seed
 * of a failure.
 */
const seed = process.env.PROPERTY_SEED
if (seed !== undefined) {
  fc.configureGlobal({ seed: Number.parseInt(seed, 10) })
}
