import pg from 'pg'

/** Parts of `pg` that its types do not name. */
interface Connection {
  describe(message: unknown): void
}

interface Query extends pg.Submittable {
  name: string
  _result: RowShape
  _accumulateRows: boolean
  hasBeenParsed(connection: Connection): boolean
  prepare(connection: Connection): void
  handleCommandComplete(message: unknown, connection: Connection): void
}

type Callback = (error: Error | null, result: pg.QueryResult) => void

const Base = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  callback: Callback,
) => Query

/** What a result knows of its rows before the first of them. */
interface RowShape {
  fields: unknown
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

/** What is known of one connection: the rows of its statements. */
interface Described {
  /** By the name of the statement, once it was carried out. */
  readonly shapes: Map<string, RowShape>
  /** Whether the next statement does not ask for the shape of its rows. */
  isQuiet: boolean
}

const ofConnections = new WeakMap<Connection, Described>()

/**
 * A prepared statement that asks once on each connection what its rows are made of. `pg` asks each time, and
 * reads the same answer: a thirtieth of the time of an event on one connection.
 */
export class PreparedQuery extends Base {
  constructor(name: string, text: string, values: readonly unknown[], callback: Callback) {
    // The text alone: an object would be copied with the descriptors of its properties.
    super(text, values, callback)
    this.name = name
  }

  override prepare(connection: Connection): void {
    const described = describedOn(connection)
    const shape = this.hasBeenParsed(connection) ? described.shapes.get(this.name) : undefined
    if (shape === undefined) {
      super.prepare(connection)
      return
    }
    this._result.fields = shape.fields
    this._result._parsers = shape._parsers
    this._result._prebuiltEmptyResultObject = shape._prebuiltEmptyResultObject
    this._accumulateRows = true
    described.isQuiet = true
    try {
      super.prepare(connection)
    } finally {
      described.isQuiet = false
    }
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const { shapes } = describedOn(connection)
    if (!shapes.has(this.name)) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
      shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    super.handleCommandComplete(message, connection)
  }
}

function describedOn(connection: Connection): Described {
  const known = ofConnections.get(connection)
  if (known) {
    return known
  }
  const described = { shapes: new Map(), isQuiet: false }
  const describe = connection.describe.bind(connection)
  connection.describe = (message) => {
    if (!described.isQuiet) {
      describe(message)
    }
  }
  ofConnections.set(connection, described)
  return described
}
