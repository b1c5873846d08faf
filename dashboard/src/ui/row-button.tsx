/** What can be done with a row of a list. What it is about shows in the row, and is said to those who do not see it. */
export function RowButton({
  label,
  about,
  class: name,
  isBusy,
  onClick,
}: {
  label: string
  about: string
  class?: 'danger' | 'primary'
  isBusy?: boolean
  onClick: () => void
}) {
  return (
    <button type="button" class={name} disabled={isBusy} onClick={onClick}>
      {label}
      <span class="visually-hidden"> {about}</span>
    </button>
  )
}
