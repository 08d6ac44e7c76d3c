import { cx } from "~/components/cx";
import icons from "./icons.svg";

/** The name of an icon: a symbol in `icons.svg`, an outline on a 24 px grid, one path each. */
export type IconName =
  | "alert"
  | "arrowDown"
  | "arrowLeft"
  | "arrowUp"
  | "bank"
  | "barred"
  | "bell"
  | "building"
  | "card"
  | "chart"
  | "check"
  | "checkCircle"
  | "chevronDown"
  | "chevronLeft"
  | "chevronRight"
  | "circle"
  | "clock"
  | "code"
  | "copy"
  | "dash"
  | "download"
  | "equals"
  | "external"
  | "eyeOff"
  | "file"
  | "filter"
  | "flag"
  | "hand"
  | "history"
  | "home"
  | "info"
  | "key"
  | "link"
  | "list"
  | "lock"
  | "logout"
  | "mail"
  | "menu"
  | "monitor"
  | "moon"
  | "more"
  | "notEquals"
  | "pause"
  | "pencil"
  | "phone"
  | "plug"
  | "plus"
  | "question"
  | "refresh"
  | "search"
  | "settings"
  | "shield"
  | "shieldCheck"
  | "sun"
  | "unlinked"
  | "upload"
  | "user"
  | "users"
  | "x"
  | "xCircle";

/**
 * A small decorative icon with a 1.75 stroke. It is hidden from assistive technology, because the word beside it
 * carries the meaning. The stylesheet defines how it is drawn, and one file that every page shares contains the
 * outlines, so that no page includes them in its HTML or scripts.
 */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg aria-hidden="true" className={cx("icon", className)}>
      <use href={`${icons}#${name}`} />
    </svg>
  );
}
