import type { FindOptions, Page } from './types.ts'

/**
 * The rows of a noun. `Key` is what may name a row: some of its properties, all of which must be equal; null is
 * compared like any other value. `Lock` is how a row may be locked when it is found; `never` where it is not. A noun
 * has those of the methods that it names.
 */
export interface Rows<Row, Key, Lock extends FindOptions = FindOptions> {
  /** False where another row has what only one row may have, if the noun expects that; otherwise it throws. */
  insert(row: Row): Promise<boolean>
  /** Inserts a row, or replaces the one with its key, whose times of creation and last use stay. Whether it is new. */
  save(row: Row): Promise<boolean>
  find<By extends Key>(by: Exactly<Key, By>, options?: Lock): Promise<Row | null>
  /** Changes the given properties of one row; those that are undefined stay. The row as it then is. */
  update<By extends Key>(by: Exactly<Key, By>, change: RowChange<Row>): Promise<Row | null>
  /** Deletes one row and answers it: what may be used once is used once. */
  delete<By extends Key>(by: Exactly<Key, By>): Promise<Row | null>
}

/** Rows that are inserted together: all of them, or none. */
export interface Inserted<Row> {
  insertAll(rows: readonly Row[]): Promise<void>
}

/** Rows by properties that they share, `Of`: few enough to be read or deleted at once. */
export interface Groups<Row, Of> {
  /** In the order of the noun. */
  findAll<By extends Of>(by: Exactly<Of, By>, options?: FindOptions): Promise<readonly Row[]>
  deleteAll<By extends Of>(by: Exactly<Of, By>): Promise<void>
}

/** Rows that are counted, for a limit or a figure. `Of` is which of them. */
export interface Counted<Of = void, Count = number> {
  count(of: Of): Promise<Count>
}

/** What each of several ids has, read at once. One that has nothing is left out. */
export interface Many<Value> {
  findMany(ids: readonly string[]): Promise<ReadonlyMap<string, Value>>
}

/**
 * Rows that are listed in pages, newest first unless the noun says otherwise. `Of` is what they belong to, and which of
 * them are meant; `After` is the place of a row in the order of the list: its id, its name, its number.
 */
export interface Listed<Row, Of, After = string> {
  list(of: Of, after: After | null, limit: number): Promise<Page<Row>>
}

/** Rows of an agent that follow from its log, by their numbers. */
export interface Derived<Row> {
  /** Replaces those of this number and above: the log was folded again. */
  replaceFrom(agentId: string, number: number, by: readonly Row[]): Promise<void>
}

/** Rows of work that falls due at a time. */
export interface Due<Row> {
  /** Those that fell due first. Each is put off to `until`, so that no other node has it. */
  claimDue(now: number, until: number, limit: number): Promise<readonly Row[]>
}

/** Rows of work that waits, by the id that names one. */
export interface Waiting<Row> {
  /** The oldest ones, without those of these ids, which failed. */
  waiting(without: readonly string[], limit: number): Promise<readonly Row[]>
}

/** The key of most nouns. */
export interface ById {
  readonly id: string
}

export type RowChange<Row> = { readonly [P in keyof Row]?: Row[P] | undefined }

/** No other properties: a whole row, given as a key, would be compared as a whole. */
type Exactly<Key, By> = By & { readonly [P in Exclude<keyof By, PropertyOf<Key>>]: never }

type PropertyOf<Key> = Key extends unknown ? keyof Key : never
