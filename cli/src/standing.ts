// standing COMMAND: everything that is done beside serving.
import { run } from './run.ts'

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
})
