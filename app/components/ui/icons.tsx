import { cx } from "~/components/cx";

/** Outlines on a 24 grid. One path each, drawn with a 1.75 stroke. */
const paths = {
  alert: "M12 4 2.8 19.5h18.4zM12 10v4.2M12 17v.1",
  arrowDown: "M12 5v14M6 13l6 6 6-6",
  arrowLeft: "M19 12H5M11 6l-6 6 6 6",
  arrowUp: "M12 19V5M6 11l6-6 6 6",
  bank: "M3 9.5 12 4l9 5.5H3zM5.5 9.5V17M10 9.5V17M14 9.5V17M18.5 9.5V17M3 20h18M4 17h16",
  barred: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM7.5 12h9",
  bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15zM10 20.5a2.2 2.2 0 0 0 4 0",
  building: "M5 20.5V4.5h9v16M14 9.5h5v11M3 20.5h18M8 8h3M8 12h3M8 16h3M16.5 13h.1M16.5 16.5h.1",
  card: "M3 6h18v12.5H3zM3 10h18M6.5 15h4",
  chart: "M4 20h16M6.5 16.5V11M12 16.5V5M17.5 16.5V8.5",
  check: "M4.5 12.5 10 18 20 6.5",
  checkCircle: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM8 12.3l2.8 2.8L16 9.5",
  chevronDown: "M6 9.5l6 6 6-6",
  chevronLeft: "M14.5 6l-6 6 6 6",
  chevronRight: "M9.5 6l6 6-6 6",
  circle: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
  clock: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7.5V12l3.2 2",
  code: "M8.5 7 3.5 12l5 5M15.5 7l5 5-5 5",
  copy: "M9 9h11v11H9zM5.5 15H4V4h11v1.5",
  dash: "M6 12h12",
  download: "M12 4v11M7 10.5l5 5 5-5M4 20h16",
  equals: "M5.5 9h13M5.5 15h13",
  external: "M14 4h6v6M20 4l-9 9M17 14v6H4V7h6",
  eyeOff:
    "M4 4l16 16M9.5 6A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.8 3.5M6.3 8C3.8 9.8 2.5 12 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4-1M10 10a3 3 0 0 0 4 4",
  file: "M6 3.5h8l4.5 4.5v12.5H6zM14 3.5V8h4.5M9 13h6M9 16.5h6",
  filter: "M4 6h16M7 12h10M10 18h4",
  flag: "M6 21V4.5h12l-2.5 4 2.5 4H6",
  hand: "M7.5 13V6.5a1.4 1.4 0 0 1 2.8 0V11M10.3 10.5V4.9a1.4 1.4 0 0 1 2.8 0v5.6M13.1 10.5V6a1.4 1.4 0 0 1 2.8 0v5.5M15.9 8.8a1.4 1.4 0 0 1 2.8 0V14a7 7 0 0 1-12.4 4.4l-3-4.6a1.5 1.5 0 0 1 2.4-1.8L7.5 14",
  history: "M4 5v4.5h4.5M4.3 9.5A8.5 8.5 0 1 1 3.5 13M12 8v4.5l3 1.8",
  home: "M4 11l8-7 8 7v9.5h-5.5V14h-5v6.5H4z",
  info: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 11v5.5M12 7.7v.1",
  key: "M8 11a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM11.2 12.3 20 3.5M16 7.5l3 3",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4.2 4.2 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4.2 4.2 0 0 0 6 6l1-1",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.1M4.5 12h.1M4.5 18h.1",
  lock: "M5 11h14v9.5H5zM8 11V8a4 4 0 0 1 8 0v3M12 15v2",
  logout: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  mail: "M3 5.5h18v13H3zM3.5 6.5 12 13l8.5-6.5",
  menu: "M4 7h16M4 12h16M4 17h16",
  monitor: "M3 5h18v11.5H3zM8.5 20.5h7M12 16.5v4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z",
  more: "M5.5 12h.1M12 12h.1M18.5 12h.1",
  notEquals: "M5.5 9h13M5.5 15h13M16 4.5 8 19.5",
  pause: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.5 8.5v7M14.5 8.5v7",
  pencil: "M4 20l1-4.5L16.5 4 20 7.5 8.5 19zM14 6.5 17.5 10",
  phone: "M7 3.5H4.5c0 9 7 16 16 16V17l-4.5-2-2 2a13 13 0 0 1-6-6l2-2z",
  plug: "M9 3.5V8M15 3.5V8M6 8h12v3a6 6 0 0 1-12 0zM12 17v3.5",
  plus: "M12 5v14M5 12h14",
  question: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.3 9.7a2.8 2.8 0 1 1 4 2.6c-.9.4-1.3.9-1.3 1.9M12 17v.1",
  refresh: "M20 5v5h-5M4 19v-5h5M19.3 10A7.8 7.8 0 0 0 5.5 8M4.7 14a7.8 7.8 0 0 0 13.8 2",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4.5 4.5",
  settings:
    "M4 7h8M16 7h4M4 17h4M12 17h8M14 4.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM10 14.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z",
  shield: "M12 3.5 19.5 6v5.5c0 4.5-3 7.5-7.5 9.5-4.5-2-7.5-5-7.5-9.5V6z",
  shieldCheck: "M12 3.5 19.5 6v5.5c0 4.5-3 7.5-7.5 9.5-4.5-2-7.5-5-7.5-9.5V6zM8.5 12l2.5 2.5L15.5 9.5",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5V5M12 19v2.5M2.5 12H5M19 12h2.5M5.3 5.3 7 7M17 17l1.7 1.7M18.7 5.3 17 7M7 17l-1.7 1.7",
  unlinked: "M8.5 15.5l-1 1a4.2 4.2 0 0 1-6-6l2.5-2.5M15.5 8.5l1-1a4.2 4.2 0 0 1 6 6L20 16M3.5 3.5l17 17",
  upload: "M12 16V4.5M7 9.5l5-5 5 5M4 20h16",
  user: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20.5c.8-4 3.5-5.5 7.5-5.5s6.7 1.5 7.5 5.5",
  users:
    "M9 5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 19.5c.6-3.5 3-5 6.5-5s5.9 1.5 6.5 5M16 5.3a3.3 3.3 0 0 1 0 6.4M18 14.9c2 .7 3.2 2.2 3.5 4.6",
  x: "M6 6l12 12M18 6 6 18",
  xCircle: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9 9l6 6M15 9l-6 6",
} as const;

/** Name of an icon in the set. */
export type IconName = keyof typeof paths;

/** A small decorative drawing. It is hidden from assistive technology: the word beside it carries the meaning. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cx("icon", className)}
    >
      <path d={paths[name]} />
    </svg>
  );
}
