/**
 * A million random steps in which a better report must not lower a score, nor a worse one raise it:
 * `npm run monotone [-- --steps 1000000] [--seed 99]`. Fails if any does.
 */
import { parseArgs } from 'node:util'
import { MODEL } from '../../src/domain/model.ts'
import { countViolations } from '../../src/domain/testing/monotone.ts'

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '99' },
  },
})
const { steps, comparisons, violations, worst } = countViolations(
  MODEL,
  Number(values.steps),
  Number(values.seed),
)
process.stdout.write(
  `${steps} steps, ${comparisons} comparisons, ${violations} violations, the worst of ${worst} points.\n`,
)
process.exitCode = violations === 0 ? 0 : 1
