/** Text that is HTML already; all other text is escaped when it goes into a page. */
export interface Html {
  readonly html: string
}

type Value = Html | string | number | readonly Value[] | null | undefined | false

/** HTML with values in it: escaped unless they are `Html`; null, undefined and false leave nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = strings.map((text, i) => text + textOf(values[i]))
  return { html: parts.join('') }
}

function textOf(value: Value): string {
  if (value === null || value === undefined || value === false) {
    return ''
  }
  if (typeof value === 'string' || typeof value === 'number') {
    return escapeHtml(String(value))
  }
  return 'html' in value ? value.html : value.map(textOf).join('')
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
}

/** A description of the document: paragraphs, with `code` in back quotes. */
export function prose(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

export function inline(text: string): Html {
  const parts = text.split('`')
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

export function jsonBlock(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`
}
