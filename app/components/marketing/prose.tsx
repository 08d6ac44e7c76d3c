import type { ReactNode } from "react";
import { useRootData } from "~/components/layout/root-data";
import { cx } from "~/components/ui/elements";

/** Styles running text, so that headings, paragraphs, lists and links inside can be plain HTML. */
const rhythm = cx(
  "max-w-[68ch] text-md [&_p]:mt-4 [&>:first-child]:mt-0",
  "[&_section]:scroll-mt-20 [&_section+section]:mt-12 [&_p+section]:mt-10",
  "[&_h2]:display [&_h2]:text-2xl [&_h2+*]:mt-3 [&_h3]:mt-7 [&_h3]:font-semibold [&_h3]:text-lg [&_h3+*]:mt-2",
  "[&_ul]:mt-4 [&_ul]:list-disc [&_ul]:pl-5 [&_ol]:mt-4 [&_ol]:list-decimal [&_ol]:pl-5 [&_li]:mt-1.5 [&_li]:pl-1 [&_li]:marker:text-ink-soft",
  "[&_a]:text-accent-text [&_a]:underline [&_a]:underline-offset-2 [&_a:hover]:decoration-2",
  "[&_section>dl>dt]:mt-4 [&_section>dl>dt]:font-semibold [&_section>dl>dd]:text-ink-soft",
  "[&_blockquote]:mt-6 [&_blockquote]:border-line [&_blockquote]:border-l-2 [&_blockquote]:pl-5 [&_blockquote]:text-ink-soft [&_blockquote]:text-lg",
  "[&_code]:rounded-base [&_code]:bg-sunken [&_code]:px-1 [&_code]:text-[0.92em] [&_code]:[overflow-wrap:anywhere]",
);

export function Prose({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx(rhythm, className)}>{children}</div>;
}

/** The operator's details, if they are configured. */
export function LegalLine() {
  const legalLine = useRootData()?.legalLine;
  return legalLine ? <p>{legalLine}</p> : null;
}
