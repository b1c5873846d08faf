import type { Rule, RuleMode } from './rule.ts'
import { RULES } from './rules.ts'

const MODES: Readonly<Record<RuleMode, string>> = {
  quarantine: 'quarantine',
  shadow: 'shadow',
  off: 'off',
}

const INTRODUCTION = `# The fraud rules

This page is generated from \`src/fraud/\` by \`npm run docs:rules\`; a test checks that it is current.

Every event passes all of them, in the transaction that records it, before it is scored. A rule in the
mode **quarantine** keeps an event from counting until it is reviewed: the event is accepted (201), with
\`isQuarantined\`, the ids of the rules in \`fraudFlags\` and their sentences in \`quarantineReason\`. A
rule in the mode **shadow** only records a finding: the event counts, and the operator finds it under
\`GET /v1/operator/findings\`.

A rule sees the event, the behaviour profile of its agent (a few sums, whatever the length of its
history) and the credential that it names. It queries nothing and stores nothing itself. Days are days of
receipt, so that a history sent at once is not a burst. Quarantined is what is not a fact: contradictory,
impossible, forged, or a copy, and floods by those who profit. How much the rest counts is decided by the
weight of its reporter and the agreement of others (scoring.md), so that no rule shields an agent that has
turned bad.

The operator lists the rules with \`GET /v1/operator/rules\` and changes them with
\`PATCH /v1/operator/rules/:id { mode: "quarantine" | "shadow" | "off", threshold }\`. Every installation
has thresholds of its own, up to a tenth above or below those here, so that what an attacker learns from
one says little about another. A threshold that the operator sets applies exactly.
`

/** docs/fraud-rules.md. */
export function rulesPage(): string {
  const table = [
    '| Rule | Default mode | Severity | What it finds |',
    '|---|---|---|---|',
    ...RULES.map(
      ({ id, mode, severity, summary }) =>
        `| [\`${id}\`](#${id}) | ${MODES[mode]} | ${severity} | ${summary} |`,
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
