/**
 * The data of an event, checked ten times as fast as by the schema of the API. What is not plainly valid
 * is left to that schema, which says what is wrong with it.
 */
import { isCurrency } from '../../../src/domain/currency.ts'
import { EVENT_TYPES, type ReportedData, type ReportedType } from '../../../src/domain/event.ts'

type Kind = (typeof EVENT_TYPES)[ReportedType]['data']

type Check = (value: unknown) => boolean

const isBoolean: Check = (value) => typeof value === 'boolean'

const isFigure =
  (max: number): Check =>
  (value) =>
    typeof value === 'number' && value >= 0 && value <= max

const isText =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max

const isOneOf = (...values: readonly unknown[]): Check => {
  const all = new Set(values)
  return (value) => all.has(value)
}

const figure = isFigure(Number.MAX_VALUE)
const text = isText(0, 200)
const counterparty = isText(1, 100)

/** By name of the field. Without prototypes: a field called `constructor` is no field. */
const CHECKS: Readonly<Record<Kind, Readonly<Record<string, Check>>>> = {
  task: checks({
    duration: figure,
    success: isBoolean,
    errorCode: text,
    difficulty: isOneOf(1, 2, 3),
    taskClass: isText(1, 64),
    counterparty,
  }),
  payment: checks({
    amount: isFigure(1e15),
    currency: (value) => typeof value === 'string' && isCurrency(value),
    daysLate: isFigure(36_500),
    counterparty,
  }),
  uptime: checks({ uptimePercentage: isFigure(100), responseTimeMs: figure }),
  error: checks({ errorType: text, severity: isOneOf('low', 'medium', 'high', 'critical') }),
  credential: checks({ credentialId: text, credentialType: text }),
}

function checks(fields: { readonly [K in keyof ReportedData]: Check }): Record<string, Check> {
  return Object.assign(Object.create(null), fields)
}

type Field = ReportedData[keyof ReportedData]

/** All fields in every object, so that the engine reads objects of one shape only. */
function emptyData(): { [K in keyof ReportedData]-?: ReportedData[K] } {
  return {
    duration: undefined,
    success: undefined,
    errorCode: undefined,
    amount: undefined,
    currency: undefined,
    daysLate: undefined,
    uptimePercentage: undefined,
    responseTimeMs: undefined,
    errorType: undefined,
    severity: undefined,
    credentialId: undefined,
    credentialType: undefined,
    difficulty: undefined,
    taskClass: undefined,
    counterparty: undefined,
  }
}

const NO_DATA: ReportedData = emptyData()

/** The data of an event of a type; null where it is not plainly valid. */
export function readData(type: ReportedType, given: unknown): ReportedData | null {
  if (given === undefined) {
    return NO_DATA
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return null
  }
  const known = CHECKS[EVENT_TYPES[type].data]
  let data: Record<string, Field> | null = null
  for (const name in given) {
    const value = (given as Record<string, Field>)[name]
    if (known[name]?.(value) !== true) {
      return null
    }
    data ??= emptyData()
    data[name] = value
  }
  return data ?? NO_DATA
}
