import type { ReactNode } from "react";
import { cx } from "~/components/cx";

interface SheetProps {
  /** What the picture shows, in a line above it. */
  caption: string;
  children: ReactNode;
  className?: string;
}

/** A piece of the product on a sheet of paper. The people and payees on it are invented. */
export function Sheet({ caption, children, className }: SheetProps) {
  return (
    <figure className="overflow-clip rounded-base bg-surface shadow-lift ring-1 ring-line">
      <figcaption className="border-line border-b bg-sunken px-5 py-2.5 text-ink-soft text-sm">{caption}</figcaption>
      <div className={cx("p-5", className)}>{children}</div>
    </figure>
  );
}
