import type { ReactNode } from "react";
import { PublicFooter, type PublicFooterProps } from "~/components/layout/public-footer";
import { PublicHeader, type PublicHeaderProps } from "~/components/layout/public-header";
import { SkipLink } from "~/components/layout/skip-link";

type PublicLayoutProps = PublicHeaderProps & PublicFooterProps & { children: ReactNode };

/** The marketing site's frame. The children are drawn in `<main id="main">`, full width: sections set their own. */
export function PublicLayout({ links, signedIn, sections, copyright, legalLine, theme, children }: PublicLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <PublicHeader links={links} signedIn={signedIn} />
      <main id="main" tabIndex={-1} className="flex-1">
        {children}
      </main>
      <PublicFooter sections={sections} copyright={copyright} legalLine={legalLine} theme={theme} />
    </div>
  );
}
