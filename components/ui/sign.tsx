const PATHS = {
  check: 'M3 8.5l3.2 3.2L13 4.9',
  pencil: 'M3 13l.7-3L10.6 3.1a1 1 0 0 1 1.4 0l.9.9a1 1 0 0 1 0 1.4L6 12.3 3 13z',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2.2 1.3',
  cross: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2.5l6 10.8H2L8 2.5zM8 6.5v3.2M8 11.4v.2',
  info: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 7.4v3.4M8 5.2v.2',
  copy: 'M6 5.5h6.5V13H6zM3.5 10.5V3H10',
  outside: 'M9.5 3H13v3.5M13 3L7.5 8.5M11 9.5V13H3V5h3.5',
  down: 'M8 3v7M4.8 7.2L8 10.4l3.2-3.2M3 13h10',
  print: 'M4.5 6V3h7v3M4.5 11.5H3V6.2h10v5.3h-1.5M4.5 9.5h7V13h-7z',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.2 3.2',
  share: 'M8 9.5V2.8M5 5.4l3-2.8 3 2.8M4 8v5h8V8',
  ascending: 'M8 12.5v-9M4.5 7L8 3.5 11.5 7',
  descending: 'M8 3.5v9M4.5 9L8 12.5 11.5 9',
} as const;

export type SignName = keyof typeof PATHS;

/** A small drawing beside a word. It adds nothing to the word, so screen readers skip it. */
export function Sign({ name, size = 16 }: { name: SignName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
