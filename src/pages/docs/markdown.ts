import { Marked } from 'marked'
import { escapeHtml, type Html } from '../html.ts'

export interface Rendered {
  readonly html: Html
  /** The sections, in order, with the plain text of each. */
  readonly sections: readonly Section[]
}

export interface Section {
  readonly id: string
  readonly depth: number
  readonly title: string
  readonly text: string
}

export interface MarkdownOptions {
  /** What a link or a picture leads to; null for what is not served, which is shown without a link. */
  readonly resolve: (target: string) => string | null
}

/** Markdown of this repository as HTML that passes the strict policy of the pages: no HTML of its own. */
export function renderMarkdown(markdown: string, { resolve }: MarkdownOptions): Rendered {
  const names = new Map<string, number>()
  const headings: Omit<Section, 'text'>[] = []
  const marked = new Marked({ gfm: true, async: false })
  marked.use({
    renderer: {
      html: () => '',
      heading({ tokens, depth, text }) {
        const title = plain(text)
        const id = unique(names, slugOf(title))
        headings.push({ id, depth, title })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const to = resolve(href)
        return to === null ? inner : `<a href="${escapeHtml(to)}">${inner}</a>`
      },
      image({ href, text }) {
        const to = resolve(href)
        return to === null ? '' : `<img src="${escapeHtml(to)}" alt="${escapeHtml(text)}">`
      },
    },
  })
  const html = (marked.parse(markdown) as string)
    .replaceAll('<table>', SCROLL)
    // A head without a name is the corner of a table whose first column names its rows.
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('</table>', '</table></div>')
  return { html: { html }, sections: withTexts(markdown, headings) }
}

/** A table that is wider than a phone scrolls by itself, with keys too. */
const SCROLL = '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'

/** The text below each heading, for the search. */
function withTexts(
  markdown: string,
  headings: readonly Omit<Section, 'text'>[],
): readonly Section[] {
  const parts = `\n${outsideCode(markdown)}`.split(/\n#{1,6} [^\n]*/)
  return headings.map((heading, i) => ({ ...heading, text: plain(parts[i + 1] ?? '') }))
}

/** A comment of a shell begins as a heading does. */
function outsideCode(markdown: string): string {
  return markdown.replaceAll(/```[\s\S]*?```/g, (block) => block.replaceAll(/^#/gm, ' #'))
}

function plain(text: string): string {
  return text
    .replaceAll(/^```.*$|<[^>]*>|\|?(---\|)+/gm, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** As GitHub names headings, so that the links of the files lead to the same places here. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function unique(names: Map<string, number>, slug: string): string {
  const count = names.get(slug) ?? 0
  names.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}
