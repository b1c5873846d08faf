import type { DocsSite } from './site.ts'

/** The documentation for models: what there is, and where each page is as Markdown (llmstxt.org). */
export function llmsText({ document, guides, baseUrl }: DocsSite): string {
  const { title, description } = document.info
  const groups = [...new Set(guides.map(({ group }) => group))]
  const listed = groups.flatMap((group) => [
    `## ${group}`,
    '',
    ...guides
      .filter((guide) => guide.group === group)
      .map(({ name, title }) => `- [${title}](${baseUrl}/docs/${name}.md)`),
    '',
  ])
  return [
    `# ${title}`,
    '',
    `> ${description}`,
    '',
    `The API is at ${baseUrl}. Scores are read without a credential: GET /v1/agents/{id}/score.`,
    `Tools for models are served at ${baseUrl}/mcp (Model Context Protocol, Streamable HTTP).`,
    '',
    ...listed,
    '## Reference',
    '',
    `- [OpenAPI document](${baseUrl}/openapi.json): every operation with its schemas and examples`,
    `- [Error codes](${baseUrl}/docs/errors): what each means and what to do`,
    '',
  ].join('\n')
}
