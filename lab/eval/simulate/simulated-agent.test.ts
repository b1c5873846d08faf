import { expect, test } from 'vitest'
import { chanceOf } from '../../../src/domain/testing/chance.ts'
import { createSimulation } from '../../../src/ingest/testing/simulation.ts'
import type { Predictor } from '../models.ts'
import { HONEST, newAgent, workOneDay } from './simulated-agent.ts'

test('the service quarantines nothing of the day of an honest agent', () => {
  const simulation = createSimulation()
  const flags: string[] = []
  const service: Predictor = {
    name: 'service',
    label: 'service',
    start: () => ({
      add({ type, data, reporter, at }) {
        flags.push(...simulation.report({ type, data, by: reporter, at }).fraudFlags)
      },
      value: () => 0,
    }),
  }
  workOneDay(newAgent(service), chanceOf(1), { ...HONEST, payments: 100 })
  expect(flags).toEqual([])
})
