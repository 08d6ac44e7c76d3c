import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { cx, Icon, type IconName, Link } from "./elements";
import { useOnNavigation } from "./use-on-navigation";

interface MenuProps {
  /** The contents of the closed menu. */
  summary: ReactNode;
  /** The accessible name when the summary has no words. */
  label?: string;
  children: ReactNode;
  /** `rail`: opens upwards at the bottom of the rail, downwards in the bar of a narrow screen. */
  align?: "left" | "right" | "rail";
  summaryClassName?: string;
  panelClassName?: string;
}

const PLACES = {
  left: "left-0 mt-2",
  right: "right-0 mt-2",
  rail: "max-lg:right-0 max-lg:mt-2 lg:bottom-full lg:left-0 lg:mb-1",
} as const;

/** A `<details>` with a drop-down panel. With scripts it also closes on Escape, a click elsewhere, a navigation. */
export function Menu({ summary, label, children, align = "right", summaryClassName, panelClassName }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useCloseOnLeave(details);
  return (
    <details ref={details} className="group relative">
      <summary aria-label={label} className={cx("rounded-base", summaryClassName)}>
        {summary}
      </summary>
      <div
        data-screen-only
        className={cx(
          "absolute z-30 min-w-[min(14rem,100vw-5rem)] animate-rise rounded-base bg-surface p-1.5 shadow-lift border border-line",
          PLACES[align],
          panelClassName,
        )}
      >
        {children}
      </div>
    </details>
  );
}

function useCloseOnLeave(details: RefObject<HTMLDetailsElement>) {
  useOnNavigation(() => details.current?.removeAttribute("open"));
  useEffect(() => {
    const close = (event: Event) => {
      const element = details.current;
      if (!element?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        element.querySelector("summary")?.focus();
      } else if (event.target instanceof Node && element.contains(event.target)) return;
      element.removeAttribute("open");
    };
    document.addEventListener("keydown", close);
    document.addEventListener("pointerdown", close);
    return () => {
      document.removeEventListener("keydown", close);
      document.removeEventListener("pointerdown", close);
    };
  }, [details]);
}

const itemClass =
  "flex min-h-9 w-full items-center gap-2.5 rounded-base px-2.5 py-1.5 text-left text-base text-ink hover:bg-sunken";

export function MenuLink({
  to,
  icon,
  current,
  children,
}: {
  to: string;
  icon?: IconName;
  current?: boolean;
  children: ReactNode;
}) {
  return (
    <Link to={to} aria-current={current ? "page" : undefined} className={cx(itemClass, current && "font-medium")}>
      {icon && <Icon name={icon} className="size-4.5 text-ink-soft" />}
      {children}
    </Link>
  );
}

/** A submit button that looks like a menu item; put it in a form. */
export function MenuButton({ icon, children }: { icon?: IconName; children: ReactNode }) {
  return (
    <button type="submit" className={itemClass}>
      {icon && <Icon name={icon} className="size-4.5 text-ink-soft" />}
      {children}
    </button>
  );
}

/** A labelled group of items, with a thin line above all but the first. */
export function MenuGroup({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className="border-line not-first:mt-1.5 not-first:border-t not-first:pt-1.5">
      {label && <p className="px-2.5 pt-1 pb-1 font-medium text-ink-soft text-xs">{label}</p>}
      {children}
    </div>
  );
}
