// standing COMMAND: every command except `serve`.
import { run } from './run.ts'

// A reader that takes only the first lines (`| head`) closes the pipe; that is no error, and nothing
// that would be written afterwards is read.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error
  }
  process.exit(0)
})

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
  stderr: process.stderr,
  stdin: process.stdin,
  isPiped: !process.stdout.isTTY,
  hasColour: process.stdout.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
})
