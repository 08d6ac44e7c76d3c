import type { ReactNode } from "react";
import { PageBanner } from "~/components/marketing/page-banner";
import { Prose } from "~/components/marketing/prose";

export interface DocumentSection {
  id: string;
  title: string;
  body: ReactNode;
}

interface DocumentPageProps {
  banner: Parameters<typeof PageBanner>[0];
  sections: readonly DocumentSection[];
  /** Starts each section on a new page in print. */
  sheets?: boolean;
}

/** A text page: banner, contents at the side, numbered anchors, one line width. */
export function DocumentPage({ banner, sections, sheets }: DocumentPageProps) {
  return (
    <>
      <PageBanner {...banner} />
      <div className="mx-auto grid max-w-6xl gap-x-16 px-4 py-10 sm:px-6 sm:py-14 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav
          aria-labelledby="contents"
          className="max-lg:mb-10 lg:sticky lg:top-24 lg:max-h-[calc(100dvh-7rem)] lg:self-start lg:overflow-y-auto"
        >
          <h2 id="contents" className="font-medium text-base">
            On this page
          </h2>
          <ol className="mt-2 border-line border-l sm:max-lg:columns-2">
            {sections.map((section) => (
              <li key={section.id}>
                <a
                  href={`#${section.id}`}
                  className="-ml-px block border-transparent border-l-2 py-1 pl-3 text-base text-ink-soft hover:border-accent-text hover:text-ink"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <Prose>
          {sections.map((section) => (
            <section
              key={section.id}
              id={section.id}
              aria-labelledby={`${section.id}-title`}
              className={sheets ? "print:break-before-page" : undefined}
            >
              <h2 id={`${section.id}-title`}>{section.title}</h2>
              {section.body}
            </section>
          ))}
        </Prose>
      </div>
    </>
  );
}
