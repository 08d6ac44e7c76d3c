import { type LinkProps, Link as RouterLink } from "@remix-run/react";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { useErrorTitle } from "~/components/layout/page-title";
import icons from "./icons.svg";

/** The small elements that every page draws: icons, links, buttons, badges and callouts. */

/** Joins class names, leaving out false values. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}

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

/**
 * A link to one of our pages. The server renders a plain anchor, because the router's own link uses ten hooks for the
 * same result and a list has a hundred links. Relative addresses are left to the router.
 */
export const Link = typeof document === "undefined" ? ServerLink : RouterLink;

function ServerLink(props: LinkProps) {
  const { to, discover = "render", prefetch: _p, relative: _r, replace: _e, state: _s, ...rest } = props;
  if (typeof to !== "string" || !/^\/(?!\/)/.test(to)) return <RouterLink {...props} />;
  const { reloadDocument = false, preventScrollReset: _c, viewTransition: _v, children, ...anchor } = rest;
  const isDiscovered = discover === "render" && !reloadDocument;
  return (
    <a {...anchor} href={to} data-discover={isDiscovered ? "true" : undefined}>
      {children}
    </a>
  );
}

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger";
export type ButtonSize = "sm" | "md" | "lg";

const variants: Record<ButtonVariant, string> = {
  primary:
    "border-transparent bg-accent text-on-accent shadow-rest hover:bg-accent-strong aria-disabled:hover:bg-accent",
  secondary: "bg-surface text-ink shadow-rest border-control hover:bg-sunken",
  quiet: "border-transparent text-ink-soft hover:bg-sunken hover:text-ink",
  danger:
    "border-transparent bg-danger text-on-accent shadow-rest hover:bg-danger-strong aria-disabled:hover:bg-danger",
};

const sizes: Record<ButtonSize, string> = {
  sm: "min-h-8 gap-1.5 px-2.5 text-sm",
  md: "min-h-10 gap-2 px-4 text-base",
  lg: "min-h-12 gap-2 px-6 text-md",
};

/** The classes of a link that stands by itself in a text or a cell. */
export const linkClass = "font-medium text-accent-text underline underline-offset-2";

/** The classes of a button, for elements that are not a `Button` (a file input's label, a plain `<a>`). */
export function buttonClass(variant: ButtonVariant = "primary", size: ButtonSize = "md"): string {
  return cx("button", variants[variant], sizes[size]);
}

interface Look {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  iconAfter?: IconName;
  /** Words with a spinner while something is in progress; the button then ignores presses. */
  pendingText?: string;
  pending?: boolean;
  children: ReactNode;
  className?: string;
}

export type ButtonProps = Look &
  (
    | ({ to: LinkProps["to"] } & Omit<LinkProps, "to" | "children" | "className">)
    | ({ to?: undefined } & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "className">)
  );

/** A button, or with `to` a link that looks like one. Buttons are `type="button"` by default. */
export function Button(props: ButtonProps) {
  const { variant, size, icon, iconAfter, pending = false, pendingText, children, className, ...rest } = props;
  const classes = cx(buttonClass(variant, size), className);
  const content = (
    <>
      {pending ? <Spinner className="size-4" /> : icon && <Icon name={icon} className="size-[1.125em]" />}
      {pending && pendingText ? pendingText : children}
      {iconAfter && <Icon name={iconAfter} className="size-[1.125em]" />}
    </>
  );
  if (rest.to !== undefined) {
    return (
      <Link {...rest} className={classes}>
        {content}
      </Link>
    );
  }
  const { to: _, type = "button", onClick, ...button } = rest;
  return (
    <button
      {...button}
      type={type}
      className={classes}
      aria-disabled={pending || undefined}
      onClick={(event) => (pending ? event.preventDefault() : onClick?.(event))}
    >
      {content}
    </button>
  );
}

/** A small spinner. Give a `label` if there are no words beside it. */
export function Spinner({ className, label }: { className?: string; label?: string }) {
  return (
    <span role={label ? "status" : undefined} className="inline-flex">
      <svg
        aria-hidden="true"
        viewBox="0 0 20 20"
        fill="none"
        className={cx("icon motion-safe:animate-turn", className)}
      >
        <circle cx="10" cy="10" r="7.5" stroke="currentColor" strokeWidth="2" strokeOpacity="0.25" />
        <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      {label && <span className="sr-only">{label}</span>}
    </span>
  );
}

/** The three states that people know (verified, pending, review) and two neutral tones. */
export type Tone = "verified" | "pending" | "review" | "neutral" | "info";

const toneIcon: Record<Tone, IconName> = {
  verified: "checkCircle",
  pending: "clock",
  review: "flag",
  neutral: "dash",
  info: "info",
};

export const toneWash: Record<Tone, string> = {
  verified: "bg-verified-wash text-verified border-verified-line",
  pending: "bg-pending-wash text-pending border-pending-line",
  review: "bg-review-wash text-review border-review-line",
  neutral: "bg-sunken text-ink-soft border-line",
  info: "bg-accent-wash text-accent-text border-accent-text/20",
};

/** The text colour of each tone, for figures and icons outside a badge. */
export const toneText: Record<Tone, string> = {
  verified: "text-verified",
  pending: "text-pending",
  review: "text-review",
  neutral: "text-ink-soft",
  info: "text-accent-text",
};

/** A brighter colour of each tone for graphics, 3:1 on every background; never for text. */
export const toneFill: Record<Tone, string> = {
  verified: "text-verified-fill",
  pending: "text-pending-fill",
  review: "text-review-fill",
  neutral: "text-control",
  info: "text-accent",
};

/** A state as an icon and a word, because colour must never be the only sign. */
export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={cx("badge", toneWash[tone])}>
      <Icon name={icon ?? toneIcon[tone]} className="size-3.5" />
      {children}
    </span>
  );
}

export type CalloutTone = "info" | "warning" | "danger" | "success";

const looks: Record<CalloutTone, { icon: IconName; box: string; tone: Tone; word: string }> = {
  info: { icon: "info", box: "bg-accent-wash/60 border-accent-text/20", tone: "info", word: "Note" },
  warning: { icon: "alert", box: "bg-pending-wash border-pending-line", tone: "pending", word: "Warning" },
  danger: { icon: "flag", box: "bg-review-wash border-review-line", tone: "review", word: "Important" },
  success: { icon: "checkCircle", box: "bg-verified-wash border-verified-line", tone: "verified", word: "Done" },
};

interface CalloutProps {
  tone: CalloutTone;
  title?: ReactNode;
  icon?: IconName;
  actions?: ReactNode;
  /** `alert` for what just went wrong, `status` for what just succeeded; absent for permanent advice. */
  role?: "alert" | "status";
  children?: ReactNode;
  className?: string;
}

/** A message that stays on the page: what happened, why, and what to do next. */
export function Callout({ tone, title, icon, actions, role, children, className }: CalloutProps) {
  const look = looks[tone];
  useErrorTitle(role === "alert");
  return (
    <div
      role={role}
      className={cx("flex gap-3 rounded-base p-4 text-base border @max-[18rem]/main:flex-col", look.box, className)}
    >
      <Icon name={icon ?? look.icon} className={cx("mt-px", toneText[look.tone])} />
      <div className="min-w-0 flex-1">
        <span className="sr-only">{look.word}: </span>
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={cx("max-w-[70ch]", title ? "mt-1" : undefined)}>{children}</div>}
        {actions && (
          <div data-screen-only className="mt-3 flex flex-wrap gap-2">
            {actions}
          </div>
        )}
      </div>
    </div>
  );
}
