import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { CredentialKind } from '../options.ts'
import type { Listing } from '../page.ts'
import type {
  ListQuery,
  MappedAnswer,
  Mapping,
  MappingDryRun,
  MappingDryRunResult,
  MappingInput,
} from '../types.ts'
import { path } from '../url.ts'

export type Mappings = ReturnType<typeof mappingCalls>

const PLATFORM: readonly CredentialKind[] = ['apiKey']

/** For a platform: its own. */
export function mappingCalls({ read, ask, post, put, remove, list }: Calls) {
  return {
    /** Replaces the mapping of this name as a whole. */
    put: (name: string, mapping: MappingInput, options?: WriteOptions): Promise<Mapping> =>
      put(path`/v1/platforms/me/mappings/${name}`, PLATFORM, mapping, options),
    get: (name: string, options?: CallOptions): Promise<Mapping> =>
      read(path`/v1/platforms/me/mappings/${name}`, PLATFORM, options),
    list: (query?: ListQuery, options?: CallOptions): Listing<Mapping> =>
      list('/v1/platforms/me/mappings', PLATFORM, query, options),
    delete: (name: string, options?: WriteOptions): Promise<void> =>
      remove(path`/v1/platforms/me/mappings/${name}`, PLATFORM, options),
    /** What a payload would become; nothing is reported. */
    dryRun: (
      name: string,
      input: MappingDryRun,
      options?: CallOptions,
    ): Promise<MappingDryRunResult> =>
      ask(path`/v1/platforms/me/mappings/${name}/dry-run`, PLATFORM, input, options),
    /** Reports what a payload says. */
    submit: (
      name: string,
      payload: Readonly<Record<string, unknown>>,
      options?: WriteOptions,
    ): Promise<MappedAnswer> => post(path`/v1/mappings/${name}/events`, PLATFORM, payload, options),
  }
}
