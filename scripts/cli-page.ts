import { commandsPage } from '../cli/src/commands-page.ts'
import { writeOrCheck } from './generated.mjs'

await writeOrCheck('docs/cli.md', commandsPage(), { source: 'the commands', script: 'docs:cli' })
