// npm run replay -- FILE: reports a recorded stream to a running service and compares its scores
// with what came later.
import { StandingError } from '@standing/sdk'
import { ReplayError } from './replay/error.ts'
import { parseOptions, USAGE } from './replay/options.ts'
import { replay } from './replay/run.ts'
import { describeResult } from './replay/table.ts'

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE)
    return
  }
  const options = parseOptions(args, process.env, new Date())
  process.stdout.write(describeResult(await replay(options, process.stderr)))
}

function explain(error: unknown): string {
  if (error instanceof ReplayError) {
    return error.message
  }
  if (!(error instanceof StandingError)) {
    return String(error instanceof Error ? error.stack : error)
  }
  const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`
  return `${error.code}: ${error.message}${request}${hint(error)}`
}

function hint({ status }: StandingError): string {
  if (status === 0) {
    return '\nIs the service running (npm start), and is --url right?'
  }
  if (status === 401) {
    return '\nIs the service running with the same STANDING_OPERATOR_KEY?'
  }
  return ''
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
