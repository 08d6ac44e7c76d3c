import type { ReactNode } from "react";
import { Button } from "~/components/ui/button";

interface HeroProps {
  title: string;
  text: ReactNode;
  primary: { label: string; to: string };
  /** `context` is read aloud after a label that says little by itself. */
  secondary?: { label: string; to: string; context?: string };
  /** One line under the buttons. */
  note?: ReactNode;
  /** The picture at the right; below the words on a narrow screen. */
  figure?: ReactNode;
}

/** The first screen of the site. */
export function Hero({ title, text, primary, secondary, note, figure }: HeroProps) {
  return (
    <section className="relative overflow-clip border-line border-b">
      <div
        aria-hidden="true"
        className="ledger mask-b-from-40% absolute inset-y-0 right-0 left-1/2 opacity-70 max-lg:hidden"
      />
      <div className="relative mx-auto grid max-w-6xl items-center gap-12 px-4 py-16 sm:px-6 sm:py-24 lg:grid-cols-[1.05fr_1fr] lg:gap-14">
        <div>
          <h1 id="page-title" tabIndex={-1} className="display text-4xl">
            {title}
          </h1>
          <div className="mt-5 max-w-[34rem] text-ink-soft text-lg">{text}</div>
          <div data-screen-only className="mt-8 flex flex-wrap gap-3">
            <Button to={primary.to} size="lg">
              {primary.label}
            </Button>
            {secondary && (
              <Button to={secondary.to} size="lg" variant="secondary">
                {secondary.label}
                {secondary.context && <span className="sr-only"> {secondary.context}</span>}
              </Button>
            )}
          </div>
          {note && <p className="mt-5 text-ink-soft text-sm">{note}</p>}
        </div>
        {figure}
      </div>
    </section>
  );
}
