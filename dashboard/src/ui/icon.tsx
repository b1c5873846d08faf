const PATHS = {
  search: 'M7 2.5a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.300 10.300 14 14',
  menu: 'M2 4.500h12M2 8h12M2 11.500h12',
  close: 'M3.500 3.500l9 9M12.500 3.500l-9 9',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  left: 'M10 3 5 8l5 5',
  down: 'M3 6l5 5 5-5',
  check: 'M3 8.500l3.500 3.500L13 4.500',
  cross: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  code: 'M5.500 4 2 8l3.500 4M10.500 4 14 8l-3.500 4',
  out: 'M6 3.500H3v9.500h9.500V10M9 2.500h4.500V7M13.500 2.500 7.500 8.500',
} as const

export type IconName = keyof typeof PATHS

/** A sign of one stroke. It says nothing by itself: the control around it has the words. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width={name === 'more' ? 2.6 : 1.6}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}
