import type { ImportSummary } from '@standing/sdk'
import { inLine } from '../printable.ts'

/** The number of problems or agents that are shown. */
const SHOWN = 20

/** What became of a past, as text for a terminal. */
export function describeImport(total: ImportSummary): string {
  const { dryRun, imported, quarantined, alreadyImported, refused, errors, agents } = total
  const counts = [
    `imported     ${imported}`,
    `quarantined  ${quarantined}`,
    `known        ${alreadyImported}`,
    `refused      ${refused}`,
  ]
  const problems = errors
    .slice(0, SHOWN)
    .map(({ line, code, message }) => `line ${line}: ${inLine(message)} (${code})`)
  const scores = agents.slice(0, SHOWN).map(({ agentId, score }) => `${agentId}  ${score}`)
  return [
    ...(dryRun ? ['Dry run: nothing was written. An import would give:', ''] : []),
    ...counts,
    ...(problems.length > 0 ? ['', ...problems, ...more(refused)] : []),
    ...(scores.length > 0 ? ['', 'agent                                 score', ...scores] : []),
    ...more(agents.length),
  ].join('\n')
}

function more(count: number): readonly string[] {
  return count > SHOWN ? [`… and ${count - SHOWN} more`] : []
}
