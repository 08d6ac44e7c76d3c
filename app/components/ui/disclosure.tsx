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

/** Stays true once it was: what a page opened is not closed again while something may be typed there. */
function useOnceOpen(open: boolean | undefined): true | undefined {
  const wasOpened = useRef(false);
  wasOpened.current ||= open === true;
  return wasOpened.current || undefined;
}

/** A question that opens to show its answer; native `<details>`, so it needs no scripts. */
export function Disclosure({ summary, children, name, open, headingLevel }: DisclosureProps) {
  const Heading = headingLevel ? (`h${headingLevel}` as const) : "span";
  return (
    <details name={name} open={useOnceOpen(open)} className="group border-line border-b">
      <summary className="flex min-h-12 items-center justify-between gap-4 rounded-base py-4 hover:text-accent-text">
        <Heading className="min-w-0 font-medium text-md">{summary}</Heading>
        <Icon name="chevronDown" className="text-ink-soft transition-transform group-open:rotate-180" />
      </summary>
      <div className="max-w-[70ch] pb-5 text-base text-ink-soft">{children}</div>
    </details>
  );
}

interface FoldProps {
  title: string;
  /** What is in it, in a line. */
  says?: ReactNode;
  /** A badge beside the title. */
  badge?: ReactNode;
  /** As in `Disclosure`. */
  open?: boolean;
  children: ReactNode;
}

/** A part of a long form, in a card without padding: its name and what it holds, folded until it is needed. */
export function Fold({ title, says, badge, open, children }: FoldProps) {
  return (
    <details open={useOnceOpen(open)} className="group border-line border-t">
      <summary className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-5 py-3 -outline-offset-2 hover:bg-sunken/70 @[52rem]/main:grid-cols-[16rem_minmax(0,1fr)_auto]">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium text-base">
          {title} {badge}
        </h3>
        <Icon
          name="chevronDown"
          className="-col-end-1 row-span-2 row-start-1 text-ink-soft transition-transform group-open:rotate-180 @[52rem]/main:row-span-1"
        />
        {says && (
          <span className="text-ink-soft text-sm @[52rem]/main:col-start-2 @[52rem]/main:row-start-1">{says}</span>
        )}
      </summary>
      <div className="px-5 pt-2 pb-6">{children}</div>
    </details>
  );
}

/** The rest of a hint or a description. @param about what it is about, for screen readers */
export function More({ about, children }: { about: ReactNode; children: ReactNode }) {
  return (
    <details className="text-ink-soft text-sm">
      <summary className="inline-flex min-h-6 items-center rounded-base text-accent-text underline underline-offset-2">
        More<span className="sr-only"> about: {about}</span>
      </summary>
      <p className="max-w-[65ch]">{children}</p>
    </details>
  );
}
