import { useEffect, useRef } from "react";
import { Callout, type CalloutTone, Link, linkClass } from "./elements";

interface ResultsProps {
  title: string;
  results: readonly { id: string; name: string; isDone: boolean; text: string }[];
  /** The page of an item; null: it has none. */
  hrefOf: (id: string) => string | null;
  /** The words for an item to which the action was not applied: "not rejected". */
  notDone: string;
  /** Of the message where nothing was refused: green only where that says something about the accounts. */
  tone?: CalloutTone;
}

/** What became of each item of an action on several. Takes the focus. */
export function Results({ title, results, hrefOf, notDone, tone = "info" }: ResultsProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (results) box.current?.focus();
  }, [results]);
  const isWell = results.every(({ isDone }) => isDone);
  return (
    <div ref={box} tabIndex={-1} className="mb-6 scroll-mt-24 rounded-base">
      <Callout tone={isWell ? tone : "warning"} title={title} role="status">
        <ul className="grid gap-0.5">
          {results.map(({ id, name, isDone, text }) => {
            const to = hrefOf(id);
            return (
              <li key={id} className="break-words">
                {to === null ? (
                  <span className="font-medium">{name}</span>
                ) : (
                  <Link to={to} className={linkClass}>
                    {name}
                  </Link>
                )}
                {isDone ? `: ${text}` : `: ${notDone}. ${text}`}
              </li>
            );
          })}
        </ul>
      </Callout>
    </div>
  );
}
