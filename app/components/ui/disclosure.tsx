import { type ReactNode, useRef } from "react";
import { Icon } from "./elements";

interface DisclosureProps {
  summary: ReactNode;
  children: ReactNode;
  /** Disclosures with the same name are an accordion: opening one closes the others. */
  name?: string;
  /** Opens it programmatically. It never closes what a person opened, because something may be typed there. */
  open?: boolean;
  headingLevel?: 2 | 3 | 4;
}

/** A question that opens to show its answer; native `<details>`, so it needs no scripts. */
export function Disclosure({ summary, children, name, open, headingLevel }: DisclosureProps) {
  const Heading = headingLevel ? (`h${headingLevel}` as const) : "span";
  const wasOpened = useRef(false);
  wasOpened.current ||= open === true;
  return (
    <details name={name} open={wasOpened.current || undefined} className="group border-line border-b">
      <summary className="flex min-h-12 items-center justify-between gap-4 rounded-base py-4 hover:text-accent-text">
        <Heading className="min-w-0 font-medium text-md">{summary}</Heading>
        <Icon name="chevronDown" className="text-ink-soft transition-transform group-open:rotate-180" />
      </summary>
      <div className="max-w-[70ch] pb-5 text-base text-ink-soft">{children}</div>
    </details>
  );
}
