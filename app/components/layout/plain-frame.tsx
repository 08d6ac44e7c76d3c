import type { ReactNode } from "react";
import { SkipLink } from "~/components/layout/skip-link";
import { Link } from "~/components/ui/elements";
import { Logo } from "~/components/ui/logo";
import { sitePaths } from "~/kernel/paths/site";

/** The smallest page frame: a link home and the main landmark. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-10 sm:py-16">
      <SkipLink />
      <header data-chrome>
        <Link to={sitePaths.home} className="inline-flex rounded-base" aria-label="PayeeProof home">
          <Logo />
        </Link>
      </header>
      <main id="main" tabIndex={-1} className="mt-8 w-full max-w-[28rem]">
        {children}
      </main>
    </div>
  );
}
