import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Pagination } from "~/components/ui/pagination";
import { Time } from "~/components/ui/time";
import type { ShownDelivery } from "~/modules/messages/webhook-endpoints/endpoint.view";

const TONES = { pending: "pending", delivered: "verified", failed: "review" } as const;

/** What was sent to an endpoint and what it answered, the newest first. */
export function WebhookLog({ deliveries, nextHref }: { deliveries: readonly ShownDelivery[]; nextHref?: string }) {
  if (deliveries.length === 0) {
    return (
      <Card title="Log">
        <EmptyState icon="history" title="Nothing was sent yet" headingLevel={3}>
          Send a test event to see that the endpoint works.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card flush title="Log" description="The last 60 days.">
      <ul className="divide-y divide-line border-line border-t">
        {deliveries.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      <Pagination nextHref={nextHref} label="Log" />
    </Card>
  );
}

function Delivery({ delivery }: { delivery: ShownDelivery }) {
  const { id, label, eventType, status, statusWord, sent, note, request, answer, mayResend } = delivery;
  return (
    <li className="px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{label}</span>
          <code className="text-ink-soft text-sm">{eventType}</code>
          <Badge tone={TONES[status]}>{statusWord}</Badge>
        </p>
        {mayResend && (
          <Form method="post">
            <HiddenFields values={{ intent: "resend" }} />
            <SubmitButton name="deliveryId" value={id} variant="quiet" size="sm" pendingText="Sending...">
              Send again
              <span className="sr-only">{label}</span>
            </SubmitButton>
          </Form>
        )}
      </div>
      <p className="mt-1 text-ink-soft text-sm">
        <Time {...sent} />
      </p>
      {note && <p className="mt-1 text-sm">{note}</p>}
      <details className="mt-2">
        <summary className="cursor-pointer text-accent-text text-sm underline underline-offset-2">
          Request and answer
        </summary>
        <pre className="mt-2 overflow-x-auto whitespace-pre-wrap break-all rounded-base bg-sunken p-3 font-mono text-sm">
          {request}
        </pre>
        <pre className="mt-2 overflow-x-auto whitespace-pre-wrap break-all rounded-base bg-sunken p-3 font-mono text-sm">
          {answer}
        </pre>
      </details>
    </li>
  );
}
