import { type Bound, type Option, setTo } from './field.tsx'

/** A few choices side by side, one of them pressed. */
export function Segmented<T extends string>({
  label,
  options,
  ...bound
}: { label: string; options: readonly Option<T>[] } & Bound<T>) {
  const chosen = bound.of ? bound.of.value : bound.value
  return (
    <fieldset class="segmented">
      <legend class="visually-hidden">{label}</legend>
      {options.map(({ value, label: name }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => setTo(bound, value)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}
