import type { ReactNode } from "react";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icons";

interface ErrorStateProps {
  /** For instance "Error Loading Verifications". */
  title: string;
  children?: ReactNode;
  /** Where Try Again leads: the address of this very page. */
  retryHref: string;
}

/** What a page says when it could not load what it is about. */
export function ErrorState({ title, children, retryHref }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-review-wash text-review border border-review-line">
        <Icon name="alert" className="size-6" />
      </span>
      <h2 className="mt-4 font-semibold text-lg tracking-[-0.01em]">{title}</h2>
      {children && <div className="mt-1 max-w-[46ch] text-base text-ink-soft">{children}</div>}
      <Button to={retryHref} reloadDocument variant="secondary" icon="refresh" className="mt-5">
        Try Again
      </Button>
    </div>
  );
}
