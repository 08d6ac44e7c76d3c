import type { ReactNode } from "react";

interface MessageProps {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}

/** A page that has one thing to say. */
export function Message({ title, children, actions }: MessageProps) {
  return (
    <div className="mx-auto max-w-[36rem] px-4 py-20 sm:py-28">
      <h1 id="page-title" tabIndex={-1} className="display text-3xl">
        {title}
      </h1>
      <div className="mt-3 max-w-[52ch] text-ink-soft text-md">{children}</div>
      {actions && <div className="mt-6 flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
