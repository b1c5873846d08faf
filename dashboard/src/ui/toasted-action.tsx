import { type Action, useAction } from '../api/action.ts'
import { ErrorText } from './said.tsx'
import { toast } from './toasts.tsx'

/** An action without a form: what was wrong with it is shown as a toast. */
export function useToastedAction<A extends readonly unknown[]>(
  work: (...args: A) => Promise<unknown>,
): Action<A, unknown> {
  return useAction(async (...args: A) => {
    try {
      return await work(...args)
    } catch (error) {
      return toast(<ErrorText error={error} />, 'bad')
    }
  })
}
