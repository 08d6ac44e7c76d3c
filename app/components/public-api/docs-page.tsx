import type { ReactNode } from "react";
import { PageBanner } from "~/components/marketing/page-banner";
import { Contents } from "~/components/public-api/contents";

interface DocsPageProps {
  title: string;
  intro: ReactNode;
  contents: Parameters<typeof Contents>[0];
  children: ReactNode;
}

/** A page of the API's document: banner, contents at the side, then what it says. */
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
