import { Form } from "@remix-run/react";
import { SubmitButton } from "~/components/forms/submit-button";
import { Card } from "~/components/ui/card";
import { type Definition, DefinitionList } from "~/components/ui/definition-list";
import { Time } from "~/components/ui/time";
import type { ReviewView } from "~/modules/review/review.view";

/** What the payee was asked and has answered, and a way to ask again. */
export function PayeeLinkCard({ view }: { view: ReviewView }) {
  const { link, dispute } = view;
  const canSend = view.canDecide && dispute === null && (link.canEmail || link.canText);
  const rows = describeLink(view);
  if (rows.length === 0 && !canSend) return null;
  return (
    <Card title="Payee's confirmation" description={link.description}>
      <div className="grid gap-4">
        {rows.length > 0 ? (
          <DefinitionList items={rows} />
        ) : (
          <p className="text-base text-ink-soft">The payee has not been asked yet.</p>
        )}
        {canSend && link.againNote && <p className="text-ink-soft text-sm">{link.againNote}</p>}
        {canSend && <SendForm link={link} />}
      </div>
    </Card>
  );
}

function describeLink({ link, dispute, status }: ReviewView): Definition[] {
  const rows: Definition[] = [];
  if (link.sentAt) rows.push({ term: "Link sent", value: <Time {...link.sentAt} stacked /> });
  if (link.confirmedAt) rows.push({ term: "Confirmed", value: <Time {...link.confirmedAt} stacked /> });
  if (dispute?.at) rows.push({ term: "Disputed", value: <Time {...dispute.at} stacked /> });
  if (link.expiresAt && !link.confirmedAt && !dispute && status === "pending") {
    rows.push({ term: "Works until", value: link.expiresAt.exact });
  }
  return rows;
}

function SendForm({ link }: Pick<ReviewView, "link">) {
  const again = link.sentAt === null ? "" : "again ";
  return (
    <Form method="post" preventScrollReset className="flex flex-wrap gap-2">
      <input type="hidden" name="intent" value="send-link" />
      {link.canEmail && (
        <SubmitButton name="channel" value="email" variant="secondary" size="sm" icon="mail" pendingText="Sending...">
          {`Send ${again}by email`}
        </SubmitButton>
      )}
      {link.canText && (
        <SubmitButton name="channel" value="sms" variant="secondary" size="sm" icon="phone" pendingText="Sending...">
          {`Send ${again}by text`}
        </SubmitButton>
      )}
    </Form>
  );
}
