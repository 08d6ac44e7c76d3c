import type { ReactNode } from "react";

interface SheetProps {
  /** What the picture shows, in a line above it. */
  caption: string;
  /** Its own padding, for rows that run to the edge. */
  flush?: boolean;
  children: ReactNode;
}

/** Part of the product as an illustration. The people and payees on it are invented. */
export function Sheet({ caption, flush, children }: SheetProps) {
  return (
    <figure className="overflow-clip rounded-base bg-surface shadow-lift border border-line">
      <figcaption className="border-line border-b bg-sunken px-5 py-2.5 text-ink-soft text-sm">{caption}</figcaption>
      {flush ? children : <div className="p-5">{children}</div>}
    </figure>
  );
}
