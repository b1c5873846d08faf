// standing COMMAND: everything that is done beside serving.
import { run } from './run.ts'

// Whoever reads only the first lines (`| head`) has had enough; that is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    throw error
  }
})

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  say: (line) => void process.stdout.write(`${line}\n`),
})
