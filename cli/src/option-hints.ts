import { type Command, optionsOf } from './command.ts'

/** Commands take credentials by one of these, for the callers that the operation has. */
const CREDENTIALS: readonly string[] = ['key', 'token', 'operator-key']

/** How a command takes what an option that it does not have would give it; null where nothing is known. */
export function optionHint(command: Command, name: string): string | null {
  const operand = command.operands.findIndex((one) => nameOf(one) === name)
  if (operand >= 0) {
    const word = command.operands[operand]?.replace(/[[\]]/g, '')
    return `${word} is word ${operand + 1} after the command: standing ${command.name} ${command.operands.join(' ')}`
  }
  const taken = CREDENTIALS.includes(name)
    ? optionsOf(command).find((option) => CREDENTIALS.includes(option.name))
    : undefined
  return taken ? `The command takes --${taken.name} ${taken.value ?? ''}: ${taken.help}.` : null
}

/** `AGENT_ID`, `[DATA]` as an option would be called: `agent-id`, `data`. */
function nameOf(operand: string): string {
  return operand.replace(/[[\]]/g, '').toLowerCase().replaceAll('_', '-')
}
