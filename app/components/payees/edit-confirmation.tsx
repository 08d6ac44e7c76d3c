import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { ChangeList } from "~/components/payees/change-list";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { CONTACT_AND_BANK_WINDOW_DAYS, PAYEE_FIELDS } from "~/kernel/payee";
import type { Confirmation } from "~/modules/payees/payee.view";

interface EditConfirmationProps {
  confirm: Confirmation;
  /** Everything typed, which the confirmed post carries again. */
  values: Readonly<Record<string, string>>;
  version: number;
}

/** The step before bank details are saved: what changes, and everything that follows. Nothing is saved yet. */
export function EditConfirmation({ confirm, values, version }: EditConfirmationProps) {
  return (
    <Card
      title="Change the bank details?"
      description="Nothing is saved yet. Fraud often starts with a change of bank details, so all of this will happen."
    >
      <div className="grid gap-6">
        <ChangeList changes={confirm.changes} from="Now" to="New" />
        {confirm.possibleTypo && (
          <Callout tone="warning" title="Possible typo">
            {confirm.possibleTypo}
          </Callout>
        )}
        {confirm.isContactChangedToo && (
          <Callout tone="danger" title="Contact and bank details change close together">
            A fraudster who changed both would answer your call. Confirm the change on a number you already knew.
          </Callout>
        )}
        <ul className="grid list-disc gap-1.5 pl-5 text-base">
          {consequences(confirm).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <Form method="post" className="flex flex-wrap gap-3">
          <HiddenFields values={{ ...typedFields(values), version }} />
          <SubmitButton name="intent" value="confirm" variant="danger" pendingText="Saving...">
            Change the bank details
          </SubmitButton>
          <SubmitButton name="intent" value="back" variant="secondary">
            Back to the form
          </SubmitButton>
        </Form>
      </div>
    </Card>
  );
}

const typedFields = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(PAYEE_FIELDS.map((field) => [field, values[field] ?? ""]));

function consequences(confirm: Confirmation): string[] {
  return [
    ...(confirm.isWhitelisted ? ["The payee leaves the whitelist, and the global whitelist if it is there."] : []),
    ...(confirm.hasPendingVerification ? ["The verification that is waiting is closed."] : []),
    "A new verification of the new details opens.",
    "Payments to the payee are held until the new details are verified. Payments that are authorised but not paid are held again.",
    sayTeamTold(confirm.othersTold),
    sayPayeeTold([...confirm.payeeTold.emails, ...confirm.payeeTold.mobiles]),
  ];
}

function sayTeamTold(others: number): string {
  if (others === 0) return "You are the only member who can act, so no colleague is told.";
  const who =
    others === 1
      ? "One other member gets an alert, unless they have turned it off."
      : `${others} other members get an alert, except those who have turned it off.`;
  return `${who} Administrators cannot turn it off.`;
}

/** Former contacts too: a criminal often changes the contact first. */
function sayPayeeTold(contacts: readonly string[]): string {
  if (contacts.length === 0) return "The payee has no email address or mobile number here, so it cannot be told.";
  return `A notice goes to everyone who was a contact of the payee in the last ${CONTACT_AND_BANK_WINDOW_DAYS} days: ${contacts.join(", ")}. The payee’s page says who was told.`;
}
