import { MODEL_VERSION } from '../../domain/model.ts'

const AGENT = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
const PLATFORM = '01931b5a-90c4-7f02-a5d3-6c1e8f7b4a20'
const BEST = '01931b70-5fba-7ba2-b752-4dea1cc41ac5'
const WORST = '01931b72-610c-774d-83e6-8c1fe6c8e279'
const AT = '2026-06-15T11:00:00.000Z'

/** An agent's first day, as its owner sees it: nine tasks done, three failed. */
export const EXPLANATION_EXAMPLE = {
  agentId: AGENT,
  score: 215,
  classification: 'untrusted',
  confidence: 'low',
  disputed: { isDisputed: false, platformsFor: 0, platformsAgainst: 0 },
  exposureLimit: null,
  status: 'active',
  contributions: {
    start: 100,
    time: 0,
    correction: 0,
    dimensions: [
      { dimension: 'reliability', events: 12, points: 115 },
      { dimension: 'financial', events: 0, points: 0 },
      { dimension: 'identity', events: 0, points: 0 },
    ],
    types: [
      { type: 'task.completed', events: 9, points: 150 },
      { type: 'task.failed', events: 3, points: -35 },
    ],
    reporters: [{ reporter: { kind: 'platform', id: PLATFORM }, events: 12, points: 115 }],
  },
  reasons: [
    {
      code: 'recent_failures',
      effect: 'lowers',
      sentence: 'Bad events of the last 30 days cost points.',
    },
    {
      code: 'few_events',
      effect: 'limits',
      sentence: 'Fewer than 50 events count: not enough for a confident score.',
    },
    { code: 'good_work', effect: 'raises', sentence: 'Completed work has brought points.' },
  ],
  nextTier: {
    classification: 'poor',
    min: 300,
    pointsMissing: 85,
    ways: [
      { type: 'credential.issued', perDay: null, events: 2, days: 0 },
      { type: 'task.completed', perDay: 10, events: 80, days: 7 },
    ],
  },
  errorBudget: null,
  after: [
    { type: 'task.completed', count: 10, score: 229, difference: 14 },
    { type: 'task.failed', count: 1, score: 208, difference: -7 },
  ],
  events: {
    up: [{ id: BEST, type: 'task.completed', points: 68.4, createdAt: AT }],
    down: [{ id: WORST, type: 'task.failed', points: -17.8, createdAt: AT }],
  },
  modelVersion: MODEL_VERSION,
  computedAt: AT,
}
