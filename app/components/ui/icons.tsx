import { cx } from "~/components/cx";
import icons from "./icons.svg";

/** Name of an icon in the set: a symbol of `icons.svg`, an outline on a 24 grid, one path each. */
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
 * A small decorative drawing, with a 1.75 stroke. It is hidden from assistive technology: the word beside it carries the
 * meaning. How it is drawn is said once, in the stylesheet, and the outlines are in one file that every page shares, so that no page sends them in its HTML or its script.
 */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg aria-hidden="true" className={cx("icon", className)}>
      <use href={`${icons}#${name}`} />
    </svg>
  );
}
