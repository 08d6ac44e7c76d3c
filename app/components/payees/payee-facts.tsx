import type { ReactNode } from "react";
import { Disclosure } from "~/components/ui/disclosure";
import { Badge, Callout, type CalloutTone } from "~/components/ui/elements";
import { Card, DefinitionList } from "~/components/ui/page-parts";
import type { DomainView } from "~/modules/directories/email-domain";
import type { RegisterView } from "~/modules/directories/register";
import type { ContactState, ContactsToldView } from "~/modules/messages/notifications/notice-rules";

const TONES: Readonly<Record<ContactState, CalloutTone>> = {
  told: "info",
  not_told_yet: "warning",
  not_told: "danger",
};

const ADVICE = "Call the payee on a number that you had before the change.";

/** Whether the payee's former contacts were told about a change: told, not yet, or not at all, for each address. */
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

/** What the public business register says about the payee's ABN. */
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

/** Public information about the payee's email domain, collapsed unless there is a concern. */
export function EmailDomainCard({ domain: { domain, summary, concerns, facts } }: { domain: DomainView }) {
  const list = (
    <DefinitionList
      items={facts.map(({ term, value, note }) => ({
        term,
        value: (
          <>
            {value}
            {note && <span className="block text-ink-soft text-sm">{note}</span>}
          </>
        ),
      }))}
    />
  );
  if (concerns.length === 0) {
    return (
      <div className="rounded-base border border-line bg-surface px-5 *:border-b-0">
        <Disclosure
          headingLevel={2}
          summary={<span className="break-words">{`Email domain ${domain}: ${summary}`}</span>}
        >
          <div className="text-ink">{list}</div>
        </Disclosure>
      </div>
    );
  }
  return (
    <Card title="Email domain" description={domain}>
      {concerns.map((concern) => (
        <p key={concern} className="mb-4 text-base text-review">
          {concern}
        </p>
      ))}
      {list}
    </Card>
  );
}
