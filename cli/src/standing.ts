// standing COMMAND: every command except `serve`.
import { exitCode } from './exit-codes.ts'
import { run } from './run.ts'

// A reader that takes only the first lines (`| head`) closes the pipe; that is no error, and nothing
// that would be written afterwards is read.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') {
    process.exit(exitCode('done'))
  }
  process.stderr.write(`The result cannot be written: ${error.message}\n`)
  process.exit(exitCode('failed'))
})
// Without a reader of the messages, the exit code still says what became of the command.
process.stderr.on('error', () => undefined)

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  stderr: process.stderr,
  stdin: process.stdin,
  isPiped: !process.stdout.isTTY,
  hasColour: process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
})
