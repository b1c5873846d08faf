import type { Rule } from './rule.ts'
import { RULES } from './rules.ts'

const INTRODUCTION = `# The fraud rules

This page is generated from \`src/fraud/\` by \`npm run docs:rules\`; a test checks that it is current.

Every rule checks every event, in the transaction that records it, before it is scored. An event that a
rule in the mode **quarantine** finds does not count until it is reviewed: it is accepted (201), with
\`isQuarantined\`, the ids of the rules in \`fraudFlags\` and their explanations in \`quarantineReason\`. A
rule in the mode **shadow** only records a finding: the event counts, and the operator can list findings
with \`GET /v1/operator/findings\`.

The input of a rule is the event, the behaviour profile of its agent (a few sums of fixed size) and the
credential that the event names. A rule makes no queries and stores nothing. Days are days of receipt, so
a history that is reported at once is not a burst. Rules quarantine only events that are not facts: they
are contradictory, impossible, forged or copies. The weight of the reporter and the agreement of others
decide how much all other events count (scoring.md), so that no rule protects an agent that has become
bad. What only looks suspicious is found in shadow mode: an honest agent may look the same, and a rule
that quarantines its good events alone leaves it with the bad ones.

The operator lists the rules with \`GET /v1/operator/rules\` and changes them with
\`PATCH /v1/operator/rules/:id { mode: "quarantine" | "shadow" | "off", threshold }\`. The
thresholds of an installation are up to a tenth above or below those on this page, so that an attacker
learns little about one installation from another. A threshold that the operator sets applies exactly.
`

/** docs/fraud-rules.md. */
export function rulesPage(): string {
  const table = [
    '| Rule | Default mode | Severity | What it finds |',
    '|---|---|---|---|',
    ...RULES.map(
      ({ id, mode, severity, summary }) =>
        `| [\`${id}\`](#${id}) | ${mode} | ${severity} | ${summary} |`,
    ),
  ].join('\n')
  return [INTRODUCTION, `${table}\n`, ...RULES.map(section)].join('\n')
}

function section({ id, summary, threshold }: Rule): string {
  const figure = threshold
    ? `\nThreshold: **${figureOf(threshold.value)}** ${threshold.unit} (from ${figureOf(threshold.min)} to ${figureOf(threshold.max)}).\n\n${threshold.reason}\n`
    : ''
  return `## ${id}\n\n${summary}\n${figure}`
}

function figureOf(value: number): string {
  return value.toLocaleString('en-US')
}
