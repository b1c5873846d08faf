// npm run interleave -- [--seeds N] [--seed N]: the engine in memory, in many orders of its steps, with crashes between
// them, held to what it promises. A seed that fails is printed; --seed N runs it again.
import { parseArgs } from 'node:util'
import { runSeed } from './run-seed.ts'

const SEEDS = 100_000

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { seeds: { type: 'string' }, seed: { type: 'string' } },
  })
  const first = Number(values.seed ?? Math.floor(Date.now() / 1_000))
  const count = values.seed === undefined || values.seeds ? Number(values.seeds ?? SEEDS) : 1
  process.stdout.write(`seeds ${first} to ${first + count - 1}\n`)
  for (let seed = first; seed < first + count; seed++) {
    const problems = await runSeed({ seed }).catch((error: unknown) => [String(error)])
    if (problems.length > 0) {
      process.stdout.write(`seed ${seed}:\n  ${problems.join('\n  ')}\n`)
      return 1
    }
  }
  process.stdout.write('nothing is wrong\n')
  return 0
}

process.exitCode = await main(process.argv.slice(2))
