import type { CallerKind } from '../domain/caller.ts'
import type { ToolSchema } from './schemas.ts'

/** A request to the API on behalf of the one who calls a tool. */
export interface ApiCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

/** What a tool works with. */
export interface ToolContext {
  /** Whose credential the calls carry. */
  readonly callerKind: CallerKind
  /** The body of a success. @throws ToolRefusal */
  readonly call: (call: ApiCall) => Promise<unknown>
}

/** Why the API refused: its code and message. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface Tool {
  readonly name: string
  readonly title: string
  /** For the model that chooses among tools: what it answers, what it costs, who may call it. */
  readonly description: string
  readonly input: ToolSchema
  readonly output: ToolSchema
  /** Whether it changes nothing. */
  readonly isReadOnly: boolean
  readonly run: (input: never, context: ToolContext) => Promise<Readonly<Record<string, unknown>>>
}

/** A tool whose function is typed by its schemas. */
export function defineTool<I extends ToolSchema, O extends ToolSchema>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: I
    readonly output: O
    readonly run: (input: I['_output'], context: ToolContext) => Promise<O['_output']>
  },
): Tool {
  return tool
}
