import type { ReactNode } from "react";
import { Badge } from "~/components/ui/badge";
import { Callout, type CalloutTone } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import type { RegisterView } from "~/modules/directories/register";
import type { ContactState, ContactsToldView } from "~/modules/messages/notifications/notice-rules";

const TONES: Readonly<Record<ContactState, CalloutTone>> = {
  told: "info",
  not_told_yet: "warning",
  not_told: "danger",
};

const ADVICE = "Call the payee on a number that you had before the change.";

/** Whether whoever was the payee's contact before a change was told of it: told, not yet, or not at all, address by address. */
export function ContactsToldCallout({ told, children }: { told: ContactsToldView; children?: ReactNode }) {
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
      {told.state !== "told" && children && <div className="mt-2">{children}</div>}
    </Callout>
  );
}

/** What the public business register says of the payee's ABN. */
export function RegisterCard({ register }: { register: RegisterView }) {
  const { asOf } = register;
  return (
    <Card title="Business register" description={asOf && `As of ${asOf}`}>
      {register.state === "found" ? <Found {...register} /> : <p className="text-base">{register.sentence}</p>}
    </Card>
  );
}

function Found({ entityName, isActive, statusFrom, statusAge, concerns, facts }: RegisterView & { state: "found" }) {
  const status = (
    <>
      <Badge tone={isActive ? "verified" : "review"} icon={isActive ? "checkCircle" : "xCircle"}>
        {isActive ? "Active" : "Cancelled"}
      </Badge>
      {statusFrom && (
        <span className="block text-ink-soft text-sm">
          since {statusFrom}, {statusAge}
        </span>
      )}
    </>
  );
  return (
    <>
      {concerns.map((concern) => (
        <p key={concern} className="mb-4 text-base text-review">
          {concern}
        </p>
      ))}
      <DefinitionList
        columns={2}
        items={[{ term: "Entity", value: entityName }, { term: "ABN status", value: status }, ...facts]}
      />
    </>
  );
}
