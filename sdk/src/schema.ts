import type { components } from './wire.ts'

/** A schema of openapi.json, by its name there. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]
