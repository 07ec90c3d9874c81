/** The line icons, drawn on a 20 × 20 grid in the colour of the text beside them. */
import type { ReactNode } from "react";

const shapes = {
  again: <path d="M15.5 6.5A6.5 6.5 0 1 0 16.5 10M16 3.5v3.3h-3.3" />,
  arrow: <path d="M4.5 10h11M11 5.5l4.5 4.5-4.5 4.5" />,
  ask: <path d="M4 5.5h12v8H9.5L6 16.5v-3H4z" />,
  branch: (
    <>
      <circle cx="6" cy="5" r="1.8" />
      <circle cx="6" cy="15" r="1.8" />
      <circle cx="14" cy="7" r="1.8" />
      <path d="M6 6.8v6.4M14 8.8c0 3-5 2.5-7.5 4.8" />
    </>
  ),
  check: <path d="m4.5 10.5 3.5 3.5 7.5-8" />,
  chevron: <path d="m8 5.5 4.5 4.5L8 14.5" />,
  clock: (
    <>
      <circle cx="10" cy="10" r="6.5" />
      <path d="M10 6.5V10l2.5 1.5" />
    </>
  ),
  evaluation: <path d="M4 16V9M10 16V4M16 16v-5" />,
  vocabulary: (
    <>
      <path d="M4 4.5h5.5a2 2 0 0 1 2 2V16a2 2 0 0 0-2-1.5H4zM16 4.5h-2.5a2 2 0 0 0-2 2" />
      <path d="M16 4.5v10h-2.500a2 2 0 0 0-2 1.500" />
    </>
  ),
  share: (
    <>
      <circle cx="6.5" cy="6.5" r="2.5" />
      <path d="M2.5 16c0-2.500 1.800-4 4-4s4 1.500 4 4" />
      <circle cx="14" cy="8" r="2" />
      <path d="M13 12.200c2.600-.4 4.500 1.200 4.500 3.500" />
    </>
  ),
  cost: (
    <>
      <circle cx="10" cy="10" r="6.5" />
      <path d="m7.500 6.500 2.500 3.500 2.500-3.500M10 10v4M7.700 10.500h4.600M7.700 12.500h4.600" />
    </>
  ),
  close: <path d="m5.5 5.5 9 9M14.5 5.5l-9 9" />,
  copy: (
    <>
      <rect x="7" y="7" width="9" height="9.5" rx="1.5" />
      <path d="M13 7V3.5H4v10h3" />
    </>
  ),
  fact: (
    <>
      <path d="M10 3l6 2.300v4.400c0 3.600-2.600 5.900-6 7.300-3.400-1.400-6-3.700-6-7.300V5.300z" />
      <path d="m7.300 10 2 2 3.500-4" />
    </>
  ),
  down: <path d="m5.5 8 4.5 4.5L14.5 8" />,
  key: (
    <>
      <circle cx="7" cy="13" r="3" />
      <path d="m9.2 10.8 6.3-6.3M13 7l2 2" />
    </>
  ),
  keyboard: (
    <>
      <rect x="2.5" y="5.5" width="15" height="9" rx="1.5" />
      <path d="M6 8.5h.1M9 8.5h.1M12 8.5h.1M14.8 8.5h.1M7 11.5h6" />
    </>
  ),
  language: (
    <>
      <circle cx="10" cy="10" r="6.8" />
      <path d="M3.2 10h13.6M10 3.2c2.4 2 2.4 11.6 0 13.6M10 3.2c-2.4 2-2.4 11.6 0 13.6" />
    </>
  ),
  link: (
    <path d="m8.5 11.5 3-3M9 6.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L13.5 11M11 13.5 9.5 15A3.2 3.2 0 0 1 5 10.5L6.5 9" />
  ),
  lock: (
    <>
      <rect x="4.5" y="9" width="11" height="7.5" rx="1.5" />
      <path d="M7 9V6.5a3 3 0 0 1 6 0V9" />
    </>
  ),
  more: <path d="M5 10h.1M10 10h.1M15 10h.1" strokeWidth="2.2" />,
  next: <path d="m7.5 5.5 4.5 4.5-4.5 4.5" />,
  offline: (
    <path d="M3 8.5a10 10 0 0 1 4-2.3M17 8.5a10 10 0 0 0-5-2.7M6 12a5.5 5.5 0 0 1 3-1.6M14 12l-.8-.6M10 15.5v.1M4 3.5l12 13" />
  ),
  pen: <path d="m4 16 .7-3.3L13 4.4l2.6 2.6-8.3 8.3z" />,
  hook: <path d="M13.5 3.500v7a4 4 0 1 1-8 0V9M5.500 9 3.500 11M5.500 9l2 2" />,
  pin: <path d="M7 3.5h6M8 3.500v5l-2.500 3h9l-2.500-3v-5M10 11.500v5" />,
  plus: <path d="M10 4.5v11M4.5 10h11" />,
  previous: <path d="M12.5 5.5 8 10l4.5 4.5" />,
  repositories: (
    <>
      <path d="M10 3 3.5 6.5 10 10l6.5-3.5z" />
      <path d="m3.5 10 6.5 3.5 6.5-3.5M3.5 13.5 10 17l6.5-3.5" />
    </>
  ),
  search: (
    <>
      <circle cx="9" cy="9" r="5" />
      <path d="m13 13 3.5 3.5" />
    </>
  ),
  signOut: <path d="M8 4H4v12h4M8.5 10H16M13 6.5l3.5 3.5-3.5 3.5" />,
  stop: <rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor" stroke="none" />,
  swap: <path d="M4 7.5h11M12.5 5 15 7.5 12.5 10M16 13H5M7.5 10.5 5 13l2.5 2.5" />,
  tape: (
    <>
      <rect x="2.5" y="6" width="15" height="8" rx="1.5" />
      <path d="M6 6v3M10 6v3M14 6v3" />
    </>
  ),
  theme: (
    <>
      <circle cx="10" cy="10" r="6.8" />
      <path d="M10 3.2v13.6a6.8 6.8 0 0 0 0-13.6z" fill="currentColor" stroke="none" />
    </>
  ),
  topics: <path d="M4 5h12M4 10h12M4 15h7" />,
  up: <path d="M10 15.5v-11M5.5 9 10 4.5 14.5 9" />,
  warning: <path d="M10 3.5 17.5 16.5h-15zM10 8.5v3.5M10 14.2v.1" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

export function Icon({ name, large = false }: { name: IconName; large?: boolean }) {
  return (
    <svg className={large ? "icon large" : "icon"} viewBox="0 0 20 20" aria-hidden="true">
      {shapes[name]}
    </svg>
  );
}
