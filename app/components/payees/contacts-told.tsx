import { Callout, type CalloutTone } from "~/components/ui/callout";
import type { ContactState, ContactsToldView } from "~/modules/messages/notifications/notice-rules";

const TONES: Readonly<Record<ContactState, CalloutTone>> = {
  told: "info",
  not_told_yet: "warning",
  not_told: "danger",
};

const ADVICE = "Call the payee on a number that you had before the change.";

/** Whether whoever was the payee's contact before a change was told of it: told, not yet, or not at all, address by address. */
export function ContactsToldCallout({ told }: { told: ContactsToldView }) {
  if (!told) return null;
  return (
    <Callout tone={TONES[told.state]} title={told.title} className="mb-6">
      <ul className="grid gap-1">
        {told.lines.map(({ id, text }) => (
          <li key={id} className="break-words">
            {text}
          </li>
        ))}
      </ul>
      {told.state !== "told" && <p className={told.lines.length > 0 ? "mt-2" : undefined}>{ADVICE}</p>}
    </Callout>
  );
}
