import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Time } from "~/components/ui/time";
import type { ShownTime } from "~/kernel/shown-time";

interface StoppedAddressesCardProps {
  addresses: readonly { email: string; why: string; stopped: ShownTime }[];
}

/** Addresses to which no emails go, and the way to send to one again. */
export function StoppedAddressesCard({ addresses }: StoppedAddressesCardProps) {
  if (addresses.length === 0) {
    return (
      <Card title="Stopped emails">
        <EmptyState icon="mail" title="Emails go to every address" headingLevel={3}>
          An address is listed here when your emails do not arrive there, or a reader reports one as unwanted.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card
      flush
      title="Stopped emails"
      description="Nothing is sent to these addresses. Correct an address that is wrong; send again to one that is right, and after a report only when the person asks for it."
    >
      <ul className="divide-y divide-line border-line border-t">
        {addresses.map(({ email, why, stopped }) => (
          <li key={email} className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
            <div className="min-w-0">
              <p className="break-words font-medium">{email}</p>
              <p className="mt-1 text-ink-soft text-sm">
                {why} <Time {...stopped} />
              </p>
            </div>
            <Form method="post">
              <HiddenFields values={{ email }} />
              <SubmitButton size="sm" variant="secondary" pendingText="One moment...">
                Send again to this address
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  );
}
