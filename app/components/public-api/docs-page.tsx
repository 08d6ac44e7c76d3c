import type { ReactNode } from "react";
import type { ShownGroup } from "~/api/reference.view";
import { PageBanner } from "~/components/marketing/page-banner";
import { cx, Link } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";

interface ContentsProps {
  groups: readonly ShownGroup[];
  /** The group that this page shows. */
  current?: string;
  /** The sections of this page. */
  here: readonly { id: string; title: string }[];
}

const line = "-ml-px block border-l-2 py-1 pl-3 text-base hover:text-ink";

/** The groups of the document, with the sections of the open one. */
function Contents({ groups, current, here }: ContentsProps) {
  const pages = [
    { id: undefined, title: "Getting started", to: sitePaths.apiDocs },
    ...groups.map(({ id, title }) => ({ id, title, to: sitePaths.apiDocsGroup(id) })),
  ];
  return (
    <nav
      aria-labelledby="contents"
      className="max-lg:mb-10 lg:sticky lg:top-24 lg:max-h-[calc(100vh-8rem)] lg:self-start lg:overflow-y-auto"
    >
      <h2 id="contents" className="font-medium text-base">
        API
      </h2>
      <ol className="mt-2 border-line border-l">
        {pages.map(({ id, title, to }) => (
          <li key={to}>
            <Link
              to={to}
              aria-current={id === current ? "page" : undefined}
              className={cx(line, id === current ? "border-accent-text text-ink" : "border-transparent text-ink-soft")}
            >
              {title}
            </Link>
            {id === current && (
              <ol className="mb-2 ml-3">
                {here.map((part) => (
                  <li key={part.id}>
                    <a href={`#${part.id}`} className="block py-0.5 pl-3 text-ink-soft text-sm hover:text-ink">
                      {part.title}
                    </a>
                  </li>
                ))}
              </ol>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface DocsPageProps {
  title: string;
  intro: ReactNode;
  contents: Parameters<typeof Contents>[0];
  children: ReactNode;
}

/** A page of the API documentation: banner, contents at the side, text. */
export function DocsPage({ title, intro, contents, children }: DocsPageProps) {
  return (
    <>
      <PageBanner title={title} intro={intro} />
      <div className="mx-auto grid max-w-6xl gap-x-16 px-4 py-10 sm:px-6 sm:py-14 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <Contents {...contents} />
        <div className="min-w-0">{children}</div>
      </div>
    </>
  );
}

/** Preformatted text; long lines scroll. */
export function CodeBlock({ label, children }: { label: string; children: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
      tabIndex={0}
      aria-label={label}
      className="mt-3 max-w-full overflow-x-auto rounded-base border border-line bg-sunken/60 p-4"
    >
      <pre className="figures font-mono text-sm">{children}</pre>
    </section>
  );
}

/** A sentence in which `backticks` mark code. */
export function MarkedText({ children }: { children: string }) {
  const parts = children.split("`");
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never change places
  return parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
