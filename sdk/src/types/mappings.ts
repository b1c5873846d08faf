import type { Schema } from '../schema.ts'

/** How the JSON of another system becomes reports. */
export interface Mapping extends Schema<'Mapping'> {}
/** `sample` must become a report by the rules. */
export interface MappingInput extends Schema<'MappingInput'> {}
export type MappingRule = MappingInput['rules'][number]
/** `rules` replace the stored ones. */
export interface MappingDryRun extends Schema<'MappingDryRun'> {}
/** What a payload would become. */
export interface MappingDryRunResult extends Schema<'MappingDryRunResult'> {}
/** What came of a payload, or of a batch. */
export interface MappedAnswer extends Schema<'MappedAnswer'> {}
