import type { ReactNode } from "react";
import { Link } from "~/components/ui/link";
import { Logo } from "~/components/ui/logo";
import { sitePaths } from "~/kernel/paths/site";
import { SkipLink } from "./skip-link";

interface AuthLayoutProps {
  /** "Welcome to Harbour Foods" */
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Small print or a way out, under the card. */
  below?: ReactNode;
}

/** One card in the middle: sign-in, registration, reset, organisation picker. */
export function AuthLayout({ title, description, children, below }: AuthLayoutProps) {
  return (
    <PlainFrame>
      <div className="rounded-base bg-surface p-6 shadow-rest border border-line sm:p-8">
        <h1 id="page-title" tabIndex={-1} className="display text-2xl">
          {title}
        </h1>
        {description && <div className="mt-1 text-base text-ink-soft">{description}</div>}
        <div className="mt-6">{children}</div>
      </div>
      {below && <div className="mt-6 text-center text-ink-soft text-sm">{below}</div>}
      <nav aria-label="Home and help" className="mt-6 flex justify-center gap-6 text-sm">
        <Link to={sitePaths.home} className="inline-flex min-h-6 items-center text-accent-text underline">
          Home
        </Link>
        <Link to={sitePaths.help} className="inline-flex min-h-6 items-center text-accent-text underline">
          Help
        </Link>
      </nav>
    </PlainFrame>
  );
}

/** The smallest frame of a page: a link home and the main landmark. */
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
