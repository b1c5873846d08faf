import { MODEL, type Model } from '../../src/domain/model.ts'
import { type JsonObject, readJsonObject } from '../../src/lib/json-object.ts'
import { UserError } from '../../src/lib/user-error.ts'
import { fitProblem, rangeProblem } from './model-ranges.ts'

/** The model in force with the figures of a JSON file in place of its own. @throws UserError that names file and figure */
export async function readModel(path: string): Promise<Model> {
  const figures = await readJsonObject(path, '{ "halfLifeDays": 180 }')
  const problem = namesProblem(figures) ?? figuresProblem(figures)
  if (problem !== null) {
    throw new UserError(`${path}: ${problem}`)
  }
  return { ...MODEL, ...figures }
}

function namesProblem(figures: JsonObject): string | null {
  const unknown = Object.keys(figures).filter((name) => !Object.hasOwn(MODEL, name))
  if (unknown.length > 0) {
    const known = Object.keys(MODEL).join(', ')
    return `the model has no ${unknown.join(', ')}. It has: ${known}.`
  }
  return Object.keys(figures).length === 0 ? 'it changes no parameter of the model.' : null
}

function figuresProblem(figures: JsonObject): string | null {
  for (const [name, value] of Object.entries(figures)) {
    const figure = name as keyof Model
    const problem = shapeProblem(MODEL[figure], value) ?? valueProblem(figure, value)
    if (problem !== null) {
      return `${name}${problem}`
    }
  }
  return fitProblem({ ...MODEL, ...figures })
}

/** What is wrong with a figure of the right type: a score by it would have no meaning. */
function valueProblem(figure: keyof Model, value: unknown): string | null {
  if (typeof value === 'number') {
    return rangeProblem(figure, value)
  }
  for (const [name, part] of Object.entries(value as object)) {
    const problem = typeof part === 'number' ? rangeProblem(figure, part) : null
    if (problem !== null) {
      return `.${name}${problem}`
    }
  }
  return null
}

/** A figure is given whole: a part of one, or one of another type, would give scores without meaning. */
function shapeProblem(own: unknown, given: unknown): string | null {
  if (typeof own === 'number') {
    return Number.isFinite(given) ? null : ` must be a number, not ${JSON.stringify(given)}.`
  }
  if (typeof own !== 'object' || own === null) {
    return typeof given === typeof own ? null : ` must be a ${typeof own}.`
  }
  if (typeof given !== 'object' || given === null) {
    return ' must be an object.'
  }
  return partsProblem(own as JsonObject, given as JsonObject)
}

function partsProblem(own: JsonObject, given: JsonObject): string | null {
  const missing = Object.keys(own).filter((name) => !Object.hasOwn(given, name))
  if (missing.length > 0) {
    return ` lacks ${missing.join(', ')}: give all of its parts.`
  }
  for (const [name, part] of Object.entries(given)) {
    if (!Object.hasOwn(own, name)) {
      return ` has no ${name}.`
    }
    const problem = shapeProblem(own[name], part)
    if (problem !== null) {
      return `.${name}${problem}`
    }
  }
  return null
}
