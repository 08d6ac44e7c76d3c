import { useEffect, useRef } from "react";
import { Select, Textarea, TextInput } from "~/components/forms/fields";
import { Form, HiddenFields, PostForm, SubmitButton } from "~/components/forms/form";
import { Button, Callout } from "~/components/ui/elements";
import { Card, DefinitionList, Time } from "~/components/ui/page-parts";
import { appPaths } from "~/kernel/paths/app";
import type { CallBackCardProps } from "./review-findings";
import type { ReviewPageProps } from "./review-page";

/** How a verification ended, by whom and why, and a link back. */
export function DecidedCard({ view, place, isJustDecided }: Pick<ReviewPageProps, "view" | "place" | "isJustDecided">) {
  const { decision, payee } = view;
  const { ending } = view.words;
  const isDecided = ending !== null;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isJustDecided && isDecided) box.current?.focus();
  }, [isJustDecided, isDecided]);
  if (ending === null) return null;
  return (
    <div ref={box} tabIndex={-1} className="mb-6 scroll-mt-24 rounded-base">
      <Callout
        tone={ending.tone}
        title={ending.title}
        role="status"
        actions={
          <>
            <Button to={place.listHref} icon="arrowLeft">
              Back to {place.listHref.startsWith(appPaths.pendingVerifications) ? "pending verifications" : "the Inbox"}
            </Button>
            <Button to={appPaths.payee(payee.id)} variant="secondary">
              Go to the payee
            </Button>
            <Button to={appPaths.certificate(view.id)} variant="secondary" icon="shieldCheck">
              Certificate
            </Button>
          </>
        }
      >
        {view.grade && <p className="font-medium">{view.grade}.</p>}
        {ending.text && <p>{ending.text}</p>}
        {decision && (
          <p className="text-ink-soft">
            {decision.by ? `${decision.by}, ` : ""}
            <time dateTime={decision.at.dateTime}>{decision.at.exact}</time>
          </p>
        )}
        {decision?.reason && view.status !== "rejected" && (
          <blockquote className="border-line border-l-2 pl-3">{decision.reason}</blockquote>
        )}
      </Callout>
    </div>
  );
}

/** The form for a call: the number, its source, and the outcome. */
export function CallForm({ view, submissionId, answer }: Omit<CallBackCardProps, "canRecord">) {
  return (
    <PostForm answer={answer} idPrefix="record-call" summary={false} preventScrollReset className="grid gap-4 text-ink">
      <HiddenFields values={{ submissionId: `${submissionId}-call` }} />
      {view.ownWork && <p className="text-base">{view.ownWork}</p>}
      <TextInput name="number" label="Number called" type="tel" autoComplete="off" digits required />
      <Select
        name="source"
        label="Where you found the number"
        placeholder="Choose one"
        options={view.sources}
        required
      />
      <TextInput name="spokeTo" label="Who you spoke to" maxLength={140} autoComplete="off" />
      <Select name="outcome" label="How the call ended" placeholder="Choose one" options={view.outcomes} required />
      <Textarea name="note" label="Note" rows={2} maxLength={500} />
      <div>
        <SubmitButton name="intent" value="record-call" variant="secondary" icon="phone" pendingText="Recording...">
          Record the call
        </SubmitButton>
      </div>
    </PostForm>
  );
}

/** What the payee was asked and has answered, and a form for asking again. */
export function PayeeLinkCard({ view }: { view: ReviewPageProps["view"] }) {
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

function SendForm({ link }: Pick<ReviewPageProps["view"], "link">) {
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
