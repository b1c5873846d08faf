import { MODEL } from '../../src/domain/model.ts'
import { countViolations } from '../../src/domain/testing/monotone.ts'
import { readOptions } from '../options.ts'

const USAGE = `npm run monotone -- [--steps N] [--seed N]

Takes random steps in which a better report must not lower a score, nor a worse one raise it. Fails if any
does.`

const values = readOptions(USAGE, { steps: 1_000_000, seed: 99 })
const { steps, comparisons, violations, limited, worst } = countViolations(
  MODEL,
  values.steps,
  values.seed,
)
process.stdout.write(
  `${steps} steps, ${comparisons} comparisons, ${violations} violations, the worst of ${worst} points. ` +
    `Complaints about deals limited monitors in ${limited} steps.\n`,
)
process.exitCode = violations === 0 ? 0 : 1
