import type { RouteSpecs } from '../../http/route.ts'
import { Backups, Calibration, Jobs, Resistance } from './schema.ts'

const FOR_OPERATOR = { method: 'get', tag: 'Operator', callers: ['operator'] } as const

const SAMPLED =
  'Computed on a sample of at most 100 agents with events, which stays the same for a day. Frequent requests get the ' +
  'last result.'

export const INSTALLATION_SPECS = {
  listJobs: {
    ...FOR_OPERATOR,
    path: '/v1/operator/jobs',
    summary: 'List the background jobs of this process, and the work that waits',
    description:
      'Operator only. Each job with its last and next round and its last error, since the start of the ' +
      'process that responds. The queues are those of the whole installation.',
    responses: { 200: { description: 'Jobs and queues', schema: Jobs } },
  },
  getBackups: {
    ...FOR_OPERATOR,
    path: '/v1/operator/backups',
    summary: 'Get the latest backup',
    description:
      'Operator only. The latest backup that `standing backup` wrote and read again. A copy made by ' +
      'other means is not known here.',
    responses: { 200: { description: 'The latest backup', schema: Backups } },
  },
  getCalibration: {
    ...FOR_OPERATOR,
    path: '/v1/operator/calibration',
    summary: 'Compare scores of 30 days ago with what happened since',
    description:
      'Operator only. By the tier of that time: how many tasks and payments went well since, and how many ' +
      `the forecasts of that time expected. ${SAMPLED}`,
    responses: { 200: { description: 'The comparison, best tier first', schema: Calibration } },
  },
  getResistance: {
    ...FOR_OPERATOR,
    path: '/v1/operator/resistance',
    summary: 'Try what established platforms that lie would do to the scores',
    description:
      'Operator only. One, two or three platforms report ten false outcomes a day about an agent for ' +
      '30 days, those first that have the most weight in its score. No rule quarantines anything and ' +
      `no one else reports: the worst case. Nothing is stored. ${SAMPLED}`,
    responses: { 200: { description: 'What the scores would become', schema: Resistance } },
  },
} as const satisfies RouteSpecs
