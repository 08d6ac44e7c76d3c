import type { ReactNode } from "react";
import { Link } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";
import { PlainFrame } from "./plain-frame";

interface AuthLayoutProps {
  /** "Welcome to Harbour Foods" */
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Small print or an alternative below the card. */
  below?: ReactNode;
}

/** One card in the middle: sign-in, registration, password reset, organisation picker. */
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
