import type { ReactNode } from "react";
import { SkipLink } from "~/components/layout/skip-link";
import { Avatar } from "~/components/ui/avatar";
import { Logo } from "~/components/ui/logo";

interface MinimalLayoutProps {
  /** The organisation that asks, which the payee knows better than us. */
  organizationName?: string | null;
  children: ReactNode;
  /** What we never ask for and who to call, in plain words. */
  footer?: ReactNode;
}

/** The frame of pages that a payee opens from an email: says first who asks, and has no links to other pages. */
export function MinimalLayout({ organizationName, children, footer }: MinimalLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header data-chrome className="border-line border-b bg-surface">
        <div className="mx-auto flex min-h-16 max-w-[40rem] flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 py-3">
          {organizationName ? (
            <p className="flex min-w-0 items-center gap-3">
              <Avatar firstName={organizationName} size="lg" />
              <span className="min-w-0">
                <span className="block text-ink-soft text-xs">Asked for by</span>
                <span className="block truncate font-semibold text-md">{organizationName}</span>
              </span>
            </p>
          ) : (
            <Logo />
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-[40rem] flex-1 px-4 py-8 sm:py-12">
        {children}
      </main>
      <footer data-chrome className="mx-auto flex w-full max-w-[40rem] flex-col gap-3 px-4 pb-10 text-ink-soft text-sm">
        {footer}
        {organizationName && (
          <p className="flex items-center gap-2 border-line border-t pt-4">
            Checked with <Logo size="sm" />
          </p>
        )}
      </footer>
    </div>
  );
}
