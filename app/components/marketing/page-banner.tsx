import type { ReactNode } from "react";
import { cx } from "~/components/cx";
import { Entry, type EntryProps } from "~/components/marketing/entry";

interface PageBannerProps {
  title: string;
  intro?: ReactNode;
  /** The page's own pair of lines. */
  entry?: EntryProps;
  /** Small print under the introduction: a date, an author. */
  note?: ReactNode;
}

/** Head of every public page but the home page. Its h1 has id `page-title`. */
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
