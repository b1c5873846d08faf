/** Markup made by the pure drawings, such as those of packages/design; it holds no text of others unescaped. */
export function Drawn({ markup, class: name }: { markup: string; class?: string }) {
  return <span class={name ?? 'drawn'} dangerouslySetInnerHTML={{ __html: markup }} />
}
