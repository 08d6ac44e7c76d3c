import type { ReactNode } from "react";
import { cx } from "~/components/cx";

interface CardProps {
  /** The card's heading, which makes it a labelled section. */
  title?: ReactNode;
  description?: ReactNode;
  /** Buttons or links on the right of the heading. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** No padding, for tables that extend to the edge. */
  flush?: boolean;
  id?: string;
  headingLevel?: 2 | 3;
  className?: string;
  children?: ReactNode;
}

/** A card with a thin border, rounded corners and a shadow. */
export function Card({
  title,
  description,
  actions,
  footer,
  flush,
  id,
  headingLevel = 2,
  className,
  children,
}: CardProps) {
  const Heading = headingLevel === 2 ? "h2" : "h3";
  const Box = title ? "section" : "div";
  return (
    <Box
      id={id}
      className={cx(
        "min-w-0 rounded-base bg-surface shadow-rest border border-line",
        flush && "overflow-clip",
        className,
      )}
    >
      {title && (
        <div className={cx("flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 pt-5", flush && "pb-4")}>
          <div className="min-w-0">
            <Heading className="font-semibold text-md tracking-[-0.01em]">{title}</Heading>
            {description && <p className="mt-0.5 max-w-[65ch] text-base text-ink-soft">{description}</p>}
          </div>
          {actions && (
            <div data-screen-only className="flex flex-wrap items-center gap-2">
              {actions}
            </div>
          )}
        </div>
      )}
      {children !== undefined && <div className={flush ? undefined : "p-5"}>{children}</div>}
      {footer && <div className="border-line border-t px-5 py-3.5 text-base text-ink-soft">{footer}</div>}
    </Box>
  );
}
