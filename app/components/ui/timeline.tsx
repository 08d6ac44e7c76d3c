import type { ReactNode } from "react";
import { cx, Icon, type IconName, type Tone, toneText } from "./elements";
import { Time } from "./page-parts";

export interface TimelineEvent {
  id: string;
  icon: IconName;
  tone?: Tone;
  /** "Maria Costa", or "PayeeProof" for the system. */
  who: string;
  /** What they did, as the continuation of the name: "approved this verification". */
  what: ReactNode;
  when: { dateTime: string; exact: string; relative?: string };
  /** Old and new values; bank numbers arrive masked. */
  changes?: readonly { field: string; from: string | null; to: string | null }[];
  /** A note or a reason, in the person's own words. */
  note?: string;
}

/** Events in the order given. Nothing in it can be edited. */
export function Timeline({ events, label }: { events: readonly TimelineEvent[]; label: string }) {
  return (
    <ol aria-label={label}>
      {events.map((event, index) => (
        <li key={event.id} className="relative flex gap-3 pb-6 last:pb-0">
          {index < events.length - 1 && (
            <span aria-hidden="true" className="absolute top-8 bottom-0 left-[0.9375rem] w-px bg-line" />
          )}
          <span
            className={cx(
              "grid size-8 shrink-0 place-items-center rounded-full bg-surface border border-line",
              toneText[event.tone ?? "neutral"],
            )}
          >
            <Icon name={event.icon} className="size-4" />
          </span>
          <div className="min-w-0 flex-1 pt-1 text-base">
            <p>
              <span className="font-medium">{event.who}</span> {event.what}
            </p>
            <Time {...event.when} className="text-ink-soft text-sm" />
            {event.changes?.map((change) => (
              <p key={change.field} className="mt-1.5 text-sm">
                <span className="text-ink-soft">{change.field}: </span>
                <del className="figures text-ink-soft decoration-1">{change.from ?? "none"}</del>
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> changed to </span>
                <ins className="figures font-medium no-underline">{change.to ?? "none"}</ins>
              </p>
            ))}
            {event.note && (
              <blockquote className="mt-2 border-line border-l-2 pl-3 text-ink-soft">{event.note}</blockquote>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
