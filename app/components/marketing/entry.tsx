import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { Badge, type Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";

interface EntryLine {
  label: string;
  value: ReactNode;
}

export interface EntryProps {
  given: EntryLine;
  held: EntryLine;
  verdict: { tone: Tone; icon?: IconName; word: string };
  className?: string;
}

/**
 * One comparison, drawn small: what was given above what is on file, a bracket, and the verdict.
 */
export function Entry({ given, held, verdict, className }: EntryProps) {
  return (
    <figure className={cx("flex items-center gap-3 text-base max-sm:flex-col max-sm:items-stretch", className)}>
      <dl className="min-w-0 flex-1 divide-y divide-line border-line border-y">
        {[given, held].map((line) => (
          <div key={line.label} className="py-2.5">
            <dt className="text-ink-soft text-sm">{line.label}</dt>
            <dd className="figures text-lg tracking-[-0.01em] [overflow-wrap:anywhere]">{line.value}</dd>
          </div>
        ))}
      </dl>
      <span
        aria-hidden="true"
        className="my-8 w-2.5 self-stretch rounded-r-base border-control border-y border-r max-sm:hidden"
      />
      <figcaption className="shrink-0">
        <Badge tone={verdict.tone} icon={verdict.icon}>
          {verdict.word}
        </Badge>
      </figcaption>
    </figure>
  );
}

/** The characters that differ. */
export function Differing({ children }: { children: ReactNode }) {
  return <mark className="border-pending border-b-2 bg-mark px-px text-ink">{children}</mark>;
}
