import type { ReactNode } from "react";
import { Button, Icon, Link } from "./elements";

interface PageHeaderProps {
  title: ReactNode;
  description?: ReactNode;
  /** Pages above this one, outermost first. */
  breadcrumb?: readonly {
    label: string;
    to: string;
  }[];
  /** Badges beside the title. */
  badges?: ReactNode;
  actions?: ReactNode;
}

/** The heading of a page. Its h1 has id `page-title` and takes the focus after a navigation. */
export function PageHeader({ title, description, breadcrumb, badges, actions }: PageHeaderProps) {
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
      {actions && (
        <div data-screen-only className="flex flex-wrap items-center gap-2">
          {actions}
        </div>
      )}
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
