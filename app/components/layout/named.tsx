import type { LoaderFunction } from "@remix-run/cloudflare";
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { Icon } from "~/components/ui/icons";
import { RequestName, useProblem } from "./error-page";
import { NotAllowed, NotFound } from "./page-problem";
import { titled } from "./page-title";

const NOT_LOADED = "The page could not be loaded. Please try again.";

/** Shown when a page's data could not be loaded: the title, the reason and Try Again. */
export function LoadError({ title }: { title: string }) {
  const { pathname, search } = useLocation();
  const { status, code, message, requestId } = useProblem();
  if (status === 404) return <NotFound />;
  if (status === 403) return <NotAllowed code={code} message={message} />;
  return (
    <Card>
      <ErrorState title={title} headingLevel={1} retryHref={pathname + search}>
        {message ?? NOT_LOADED}
        <RequestName status={status} requestId={requestId} />
      </ErrorState>
    </Card>
  );
}

interface ErrorStateProps {
  /** For instance "Error Loading Verifications". */
  title: string;
  children?: ReactNode;
  /** Try Again links to this page's own address. */
  retryHref: string;
  /** 1 if this is all that the page shows. */
  headingLevel?: 1 | 2;
}

/** The message of a page whose data could not be loaded. */
function ErrorState({ title, children, retryHref, headingLevel = 2 }: ErrorStateProps) {
  const Heading = headingLevel === 1 ? "h1" : "h2";
  const focusable = headingLevel === 1 ? { id: "page-title", tabIndex: -1 } : {};
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-review-wash text-review border border-review-line">
        <Icon name="alert" className="size-6" />
      </span>
      <Heading {...focusable} className="mt-4 font-semibold text-lg tracking-[-0.01em]">
        {title}
      </Heading>
      {children && <div className="mt-1 max-w-[46ch] text-base text-ink-soft">{children}</div>}
      <Button to={retryHref} reloadDocument variant="secondary" icon="refresh" className="mt-5">
        Try Again
      </Button>
    </div>
  );
}

/**
 * A page's title, and the heading of its error when its data could not be loaded.
 *
 * @example export const { meta, ErrorBoundary } = named("Payees", "Error Loading Payees");
 */
export function named<Loader extends LoaderFunction | unknown = unknown>(
  title: Parameters<typeof titled<Loader>>[0],
  problem: string,
  more?: Parameters<typeof titled<Loader>>[1],
) {
  return { meta: titled<Loader>(title, more), ErrorBoundary: () => <LoadError title={problem} /> };
}
