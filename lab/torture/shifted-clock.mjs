// Loaded before the service: a clock that is wrong by what the file of TORTURE_CLOCK_OFFSET says.
import { readFileSync } from 'node:fs'

const file = process.env.TORTURE_CLOCK_OFFSET
const now = Date.now
const RealDate = Date
let offset = 0

setInterval(() => {
  offset = Number(readFileSync(file, 'utf8')) || 0
}, 100).unref()

class ShiftedDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now() + offset] : args))
  }

  static now() {
    return now() + offset
  }
}

globalThis.Date = ShiftedDate
