import type { ReactNode } from "react";
import { Badge, cx, type IconName, type Tone } from "~/components/ui/elements";

interface PageBannerProps {
  title: string;
  intro?: ReactNode;
  /** The page's own example pair. */
  entry?: EntryProps;
  /** Small print below the introduction: a date, an author. */
  note?: ReactNode;
}

/** The heading of every public page except the home page. Its h1 has id `page-title`. */
export function PageBanner({ title, intro, entry, note }: PageBannerProps) {
  return (
    <div className="border-line border-b">
      <div
        className={cx(
          "mx-auto grid max-w-6xl items-center gap-x-16 gap-y-8 px-4 py-12 sm:px-6 sm:py-16",
          entry && "lg:grid-cols-[1.25fr_1fr]",
        )}
      >
        <div>
          <h1 id="page-title" tabIndex={-1} className={cx("display text-4xl", entry ? "max-w-[22ch]" : "max-w-[28ch]")}>
            {title}
          </h1>
          {intro && <div className="mt-4 max-w-[38rem] text-ink-soft text-lg">{intro}</div>}
          {note && <p className="figures mt-4 text-ink-soft text-sm">{note}</p>}
        </div>
        {entry && <Entry {...entry} />}
      </div>
    </div>
  );
}

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

/** A small comparison: the given name above the one on file, a bracket, and the verdict. */
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
