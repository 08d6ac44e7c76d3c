import { Form } from "~/components/forms/form";
import { SubmitButton } from "~/components/forms/post-form";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import { Time } from "~/components/ui/time";
import type { ReviewPageData } from "./review-page";

/** What the payee was asked and has answered, and a way to ask again. */
export function PayeeLinkCard({ view }: { view: ReviewPageData["view"] }) {
  const { link, dispute } = view;
  const isReachable = view.canDecide && dispute === null && (link.canEmail || link.canText);
  const canSend = isReachable && view.missingConfirmation === null;
  if (link.rows.length === 0 && !isReachable) return null;
  return (
    <Card title="Payee's confirmation" description={link.description}>
      <div className="grid gap-4">
        {link.rows.length > 0 ? (
          <DefinitionList
            items={link.rows.map(({ term, time, text }) => ({ term, value: time ? <Time {...time} stacked /> : text }))}
          />
        ) : (
          <p className="text-base text-ink-soft">The payee has not been asked yet.</p>
        )}
        {isReachable && !canSend && (
          <p className="text-base text-ink-soft">A link can be sent once the email address is confirmed.</p>
        )}
        {canSend && link.warning && <p className="text-review text-sm">{link.warning}</p>}
        {canSend && link.againNote && <p className="text-ink-soft text-sm">{link.againNote}</p>}
        {canSend && <SendForm link={link} />}
      </div>
    </Card>
  );
}

function SendForm({ link }: Pick<ReviewPageData["view"], "link">) {
  const again = link.againNote === null ? "" : "again ";
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
