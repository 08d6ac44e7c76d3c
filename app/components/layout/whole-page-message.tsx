import type { ReactNode } from "react";

interface MessageProps {
  code: string;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  note?: ReactNode;
}

/** A page that has one thing to say. */
export function Message({ code, title, children, actions, note }: MessageProps) {
  return (
    <div className="mx-auto max-w-[36rem] px-4 py-20 sm:py-28">
      <p className="figures font-medium text-accent-text text-base">{code}</p>
      <h1 id="page-title" tabIndex={-1} className="display mt-1 text-3xl">
        {title}
      </h1>
      <div className="mt-3 max-w-[52ch] text-ink-soft text-md">{children}</div>
      {actions && <div className="mt-6 flex flex-wrap gap-2">{actions}</div>}
      {note && <p className="figures mt-8 text-ink-soft text-sm">{note}</p>}
    </div>
  );
}
