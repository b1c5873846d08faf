import type { Rule, RuleMode } from './rule.ts'
import { RULES } from './rules.ts'

const MODES: Readonly<Record<RuleMode, string>> = {
  hold: 'holds',
  shadow: 'only notes (shadow mode)',
  off: 'is off',
}

const INTRODUCTION = `# The anti-fraud rules

This page is made from the rules in \`src/fraud/\` by \`npm run docs:rules\`; a test holds it to them.

Every event passes all of them, in the transaction that takes it in, before it is scored. One that a
rule **holds** is accepted (201), waits for review and does not count meanwhile: \`isQuarantined\`,
with the rules' ids in \`fraudFlags\` and their sentences in \`quarantineReason\`. One that a rule only
**notes** counts, and the operator finds it under \`GET /v1/operator/findings\`.

A rule sees the event, the habits of its agent (a few sums, whatever its history), the record of the
platform that reports, and the ring of owners that the report may close. It looks nothing up and
remembers nothing itself. Days are days of receipt, so that a history sent in at once is no burst;
bad news is held only where a platform has nothing else to say against all others, so that no rule
shields an agent that has turned bad.

The operator lists the rules with \`GET /v1/operator/rules\`, and with
\`PATCH /v1/operator/rules/:id { mode: "hold" | "shadow" | "off", threshold }\` tunes each or takes it
out of force. Every installation has thresholds of its own, up to a tenth to either side of those
here, so that what was found out by trial on one tells little of another; one that the operator sets
holds exactly.
`

/** docs/fraud-rules.md. */
export function rulesPage(): string {
  const table = [
    '| Rule | By default | Severity | What it finds |',
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
