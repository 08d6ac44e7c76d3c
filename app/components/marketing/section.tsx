import type { ReactNode } from "react";
import { Button, cx } from "~/components/ui/elements";

/** One section of a marketing page. */
export function Section({
  id,
  kicker,
  title,
  intro,
  ground = "paper",
  layout = "stacked",
  headingLevel = 2,
  children,
}: {
  id?: string;
  /** A few words above the heading. */
  kicker?: string;
  title: string;
  intro?: ReactNode;
  /** `sunken` gives the section a darker background. */
  ground?: "paper" | "sunken";
  /** `split` puts the heading beside its content on a wide screen. */
  layout?: "stacked" | "split";
  /** 1 if the section is the page's main content. */
  headingLevel?: 1 | 2;
  children?: ReactNode;
}) {
  const Heading = headingLevel === 1 ? "h1" : "h2";
  const titleId = id ? `${id}-title` : undefined;
  const isSplit = layout === "split";
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={cx(ground === "sunken" && "border-line border-y bg-sunken/60")}
    >
      <div
        className={cx(
          "mx-auto max-w-6xl px-4 py-14 sm:px-6 sm:py-20",
          isSplit && "grid gap-8 lg:grid-cols-[1fr_2fr] lg:gap-16",
        )}
      >
        <div className="max-w-[44rem]">
          {kicker && <p className="mb-2 font-medium text-accent-text text-base">{kicker}</p>}
          <Heading id={titleId} className="display text-3xl">
            {title}
          </Heading>
          {intro && <div className="mt-3 text-ink-soft text-lg">{intro}</div>}
        </div>
        {children && <div className={cx("min-w-0", !isSplit && "mt-10 sm:mt-12")}>{children}</div>}
      </div>
    </section>
  );
}

interface CallToActionProps {
  title: string;
  text?: ReactNode;
  action: { label: string; to: string };
}

/** The dark band at the end of a page. */
export function CallToAction({ title, text, action }: CallToActionProps) {
  return (
    <section data-screen-only className="bg-band text-on-band [&_:focus-visible]:outline-on-band">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-8 px-4 py-14 sm:px-6 sm:py-20">
        <div className="max-w-[40rem]">
          <h2 className="display text-3xl">{title}</h2>
          {text && <p className="mt-3 text-lg text-on-band-soft">{text}</p>}
        </div>
        <Button to={action.to} size="lg" variant="secondary">
          {action.label}
        </Button>
      </div>
    </section>
  );
}

/** Part of the product as an illustration. The people and payees in it are invented. */
export function Sheet({ caption, flush, children }: { caption: string; flush?: boolean; children: ReactNode }) {
  return (
    <figure className="overflow-clip rounded-base bg-surface shadow-lift border border-line">
      <figcaption className="border-line border-b bg-sunken px-5 py-2.5 text-ink-soft text-sm">{caption}</figcaption>
      {flush ? children : <div className="p-5">{children}</div>}
    </figure>
  );
}
