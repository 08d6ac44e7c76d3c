import type { LoaderFunction } from "@remix-run/cloudflare";
import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { RequestName, useProblem } from "~/components/layout/error-page";
import { NotAllowed, NotFound } from "~/components/layout/page-problem";
import { titled } from "~/components/layout/page-title";
import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { formatAud } from "~/kernel/money";
import { inboxHref, isFromInbox, readInboxView } from "~/modules/records/inbox/inbox";
import { More } from "./disclosure";
import { Button, cx, Icon, Link } from "./elements";

/** What pages are made of: a title and the problem in its place, cards, terms and values, times and digits. */

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
  /** 1 if the page shows nothing else. */
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

/** Buttons and links beside a heading. */
const Actions = ({ children }: { children: ReactNode }) =>
  children && (
    <div data-screen-only className="flex flex-wrap items-center gap-2">
      {children}
    </div>
  );

/** A card with a thin border, rounded corners and a shadow. */
export function Card({
  title,
  description,
  more,
  actions,
  footer,
  flush,
  id,
  headingLevel = 2,
  className,
  children,
}: {
  /** The card's heading, which makes it a labelled section. */
  title?: ReactNode;
  description?: ReactNode;
  /** What the description leaves out, folded behind a word. */
  more?: ReactNode;
  /** Buttons or links on the right of the heading. */
  actions?: ReactNode;
  footer?: ReactNode;
  /** No padding, for tables that extend to the edge. */
  flush?: boolean;
  id?: string;
  headingLevel?: 2 | 3;
  className?: string;
  children?: ReactNode;
}) {
  const Heading = headingLevel === 2 ? "h2" : "h3";
  const Box = title ? "section" : "div";
  return (
    <Box
      id={id}
      className={cx(
        "min-w-0 rounded-base bg-surface shadow-rest border border-line",
        flush && "overflow-clip",
        className,
      )}
    >
      {title && (
        <div
          className={cx(
            "flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 pt-5 brief:gap-y-1",
            flush && "pb-4",
          )}
        >
          <div className="card-words">
            <Heading className="font-semibold text-md tracking-[-0.01em]">{title}</Heading>
            {description && <p className="mt-0.5 max-w-[65ch] text-base text-ink-soft">{description}</p>}
            {more && <More about={title}>{more}</More>}
          </div>
          <Actions>{actions}</Actions>
        </div>
      )}
      {children !== undefined && <div className={flush ? undefined : "p-5"}>{children}</div>}
      {footer && <div className="border-line border-t px-5 py-3.5 text-base text-ink-soft">{footer}</div>}
    </Box>
  );
}

export interface Definition {
  term: string;
  value: ReactNode;
}

/** Terms and values with thin lines between them; with `columns` 2, pairs are side by side where there is room. */
export function DefinitionList({ items, columns = 1 }: { items: readonly Definition[]; columns?: 1 | 2 }) {
  return (
    <div className="@container">
      <dl className={columns === 2 ? "term-pairs" : "terms"}>
        {items.map(({ term, value }) => (
          <div key={term}>
            <dt className="text-ink-soft">{term}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface TimeProps {
  /** ISO 8601 in UTC, for machines. */
  dateTime: string;
  /** The exact time as text, already in the organisation's time zone: "20 Nov 2026, 4:42 pm". */
  exact: string;
  /** "3 minutes ago"; shown beside the exact time, or below it with `stacked`. */
  relative?: string;
  stacked?: boolean;
  className?: string;
}

/** A point in time. The strings are already formatted, so that server and browser always agree. */
export function Time({ dateTime, exact, relative, stacked, className }: TimeProps) {
  return (
    <span className={cx("figures", stacked && "inline-flex flex-col", className)}>
      <time dateTime={dateTime}>
        <Unbroken text={exact} />
      </time>
      {relative && !stacked && (
        <span aria-hidden="true" className="print:hidden">
          {" · "}
        </span>
      )}
      {relative && (
        <span className={cx("text-ink-soft sm:whitespace-nowrap print:hidden", stacked && "text-xs")}>{relative}</span>
      )}
    </span>
  );
}

/** In a narrow column, a time breaks only between the date and the time of day. */
function Unbroken({ text }: { text: string }) {
  const [day, ...rest] = text.split(", ");
  if (rest.length === 0) return <span className="sm:whitespace-nowrap">{text}</span>;
  return (
    <>
      <span className="sm:whitespace-nowrap">{day},</span>{" "}
      <span className="sm:whitespace-nowrap">{rest.join(", ")}</span>
    </>
  );
}

/** Digits in tabular figures that are never broken over two lines. */
export function Digits({ children, className }: { children: string; className?: string }) {
  return <span className={cx("figures whitespace-nowrap", className)}>{children}</span>;
}

/** Six digits, shown as 062-000. */
export function Bsb({ value, className }: { value: string; className?: string }) {
  return <Digits className={className}>{formatBsb(value)}</Digits>;
}

/** A full account number. Lists, emails and the audit trail use `Masked` instead. */
export function AccountNumber({ value, className }: { value: string; className?: string }) {
  return <Digits className={className}>{value}</Digits>;
}

/** Hides all but the last digits, as `maskAccountNumber` does, of a full or masked number; spoken: "ending 678". */
export function Masked({ value, className }: { value: string; className?: string }) {
  const masked = value.includes("•") ? value : maskAccountNumber(value);
  const shown = masked.replace(/•/g, "");
  return (
    <span className={cx("figures whitespace-nowrap", className)}>
      <span aria-hidden="true" className="text-ink-soft">
        {masked.slice(0, masked.length - shown.length)}
      </span>
      <span className="sr-only">{shown ? "ending " : "hidden"}</span>
      {shown}
    </span>
  );
}

/** Integer cents, shown as $1,234.50. */
export function Amount({ cents, className }: { cents: number; className?: string }) {
  return <Digits className={className}>{formatAud(cents)}</Digits>;
}

interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** Pages above this one, outermost first. */
  breadcrumb?: readonly { label: string; to: string }[];
  badges?: ReactNode;
  actions?: ReactNode;
}

/**
 * The heading of a page. Its h1 has id `page-title` and takes the focus after a navigation. A page that was opened from
 * the Inbox leads back there.
 */
export function PageHeader({ title, description, breadcrumb: above, badges, actions }: PageHeaderProps) {
  const params = new URLSearchParams(useLocation().search);
  const inbox = { label: "Inbox", to: inboxHref(readInboxView(params)) };
  const breadcrumb = isFromInbox(params) ? [inbox] : above;
  return (
    <div className="page-head">
      <div className="page-head-words min-w-0">
        {breadcrumb && breadcrumb.length > 0 && (
          <nav aria-label="Breadcrumb" className="mb-2 text-sm">
            <ol className="flex flex-wrap items-center gap-1 text-ink-soft">
              {breadcrumb.map((crumb, index) => (
                <li key={crumb.to} className="flex items-center gap-1">
                  {index > 0 && <Icon name="chevronRight" className="size-3.5" />}
                  <Link to={crumb.to} className="rounded-base py-0.5 hover:text-ink hover:underline">
                    {crumb.label}
                  </Link>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 id="page-title" tabIndex={-1} className="display text-2xl sm:not-[.inbox-pane_*]:text-3xl">
            {title}
          </h1>
          {badges}
        </div>
        {description && <div className="mt-1.5 max-w-[68ch] text-base text-ink-soft">{description}</div>}
      </div>
      <Actions>{actions}</Actions>
    </div>
  );
}

interface NeighboursProps {
  /** The landmark's name: "Review queue". */
  label: string;
  place: { position: string | null; previousHref: string | null; nextHref: string | null };
  /** The text of the link to the next item; "Next" by default. */
  next?: string;
  children?: ReactNode;
}

/** A page's position in its queue, "3 of 14", between links to its neighbours. */
export function Neighbours({ label, place, next = "Next", children }: NeighboursProps) {
  const { position, previousHref, nextHref } = place;
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-2">
      {previousHref && (
        <Button to={previousHref} variant="secondary" size="sm" icon="chevronLeft">
          Previous
        </Button>
      )}
      {position && <span className="figures px-1 text-base text-ink-soft">{position}</span>}
      {nextHref && (
        <Button to={nextHref} variant="secondary" size="sm" iconAfter="chevronRight">
          {next}
        </Button>
      )}
      {children}
    </nav>
  );
}
