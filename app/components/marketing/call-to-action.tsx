import type { ReactNode } from "react";
import { Button } from "~/components/ui/button";

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
