import type { ReactNode } from "react";
import { SignedInHeader, type SignedInHeaderProps } from "~/components/layout/signed-in-header";
import { SkipLink } from "~/components/layout/skip-link";

interface SignedInLayoutProps extends SignedInHeaderProps {
  /** A standing notice above the page: address not confirmed, trial about to end. */
  notice?: ReactNode;
  children: ReactNode;
}

/** The frame of the signed-in pages. The children are drawn in `<main id="main">`, as wide as tables need. */
export function SignedInLayout({ notice, children, ...header }: SignedInLayoutProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <SignedInHeader {...header} />
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-7xl flex-1 px-4 py-7 sm:px-6 sm:py-9">
        {header.organizationName && (
          <p className="mb-4 hidden text-sm print:block">{header.organizationName}, from PayeeProof</p>
        )}
        {notice && <div className="mb-6">{notice}</div>}
        {children}
      </main>
    </div>
  );
}
