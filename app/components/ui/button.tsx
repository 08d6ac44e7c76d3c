import type { LinkProps } from "@remix-run/react";
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { cx } from "~/components/cx";
import { Icon, type IconName } from "./icons";
import { Link } from "./link";

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

/** The classes of a button, for elements that are not a `Button` (a file input's label, a plain `<a>`). */
export function buttonClass(variant: ButtonVariant = "primary", size: ButtonSize = "md"): string {
  return cx("button", variants[variant], sizes[size]);
}

interface Look {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Shown before the text. */
  icon?: IconName;
  /** Shown after the text. */
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
