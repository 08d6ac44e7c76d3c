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

/** The step before bank details or another name are saved: what changes, and everything that follows. Nothing is saved yet. */
export function EditConfirmation({ confirm, values, version }: EditConfirmationProps) {
  const { title, description, button } = WORDS[confirm.of];
  return (
    <Card title={title} description={description}>
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
            {button}
          </SubmitButton>
          <SubmitButton name="intent" value="back" variant="secondary">
            Back to the form
          </SubmitButton>
        </Form>
      </div>
    </Card>
  );
}

const WORDS: Readonly<Record<Confirmation["of"], { title: string; description: string; button: string }>> = {
  "bank details": {
    title: "Change the bank details?",
    description: "Nothing is saved yet. Fraud often starts with a change of bank details, so all of this will happen.",
    button: "Change the bank details",
  },
  name: {
    title: "Give this payee another name?",
    description:
      "Nothing is saved yet. Changing the name ends the trust: the bank details were confirmed for the payee of the name it has now. A new spelling of the same name, such as capitals or “Pty Ltd” for “Pty. Limited”, would not.",
    button: "Change the name",
  },
  "name and bank details": {
    title: "Change the name and the bank details?",
    description:
      "Nothing is saved yet. Changing either ends the trust, and fraud often starts so. All of this will happen.",
    button: "Change the name and the bank details",
  },
};

const typedFields = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(PAYEE_FIELDS.map((field) => [field, values[field] ?? ""]));

function consequences(confirm: Confirmation): string[] {
  return [
    ...(confirm.isWhitelisted ? ["The payee leaves the whitelist, and the global whitelist if it is there."] : []),
    ...(confirm.hasPendingVerification ? ["The verification that is waiting is closed."] : []),
    ...(confirm.of === "name" ? OF_NAME : OF_DETAILS),
    sayTeamTold(confirm.othersTold),
    sayPayeeTold(confirm.of, [...confirm.payeeTold.emails, ...confirm.payeeTold.mobiles]),
  ];
}

const OF_DETAILS = [
  "A new verification of the new details opens.",
  "Payments to the payee are held until the new details are verified. Payments that are authorised but not paid are held again.",
];

const OF_NAME = [
  "A new verification opens, of the same bank details under the new name.",
  "Payments to the payee are held until it is verified under the new name. Payments that are authorised but not paid are held again.",
];

function sayTeamTold(others: number): string {
  if (others === 0) return "You are the only member who can act, so no colleague is told.";
  const who =
    others === 1
      ? "One other member gets an alert, unless they have turned it off."
      : `${others} other members get an alert, except those who have turned it off.`;
  return `${who} Administrators cannot turn it off.`;
}

/** Former contacts too: a criminal often changes the contact first. */
function sayPayeeTold(of: Confirmation["of"], contacts: readonly string[]): string {
  if (of === "name") {
    return contacts.length === 0
      ? "The payee is not told: its bank details stay the same, and no contact of it is replaced."
      : `The payee is told at the contact it had before that this was changed: ${contacts.join(", ")}.`;
  }
  if (contacts.length === 0) return "The payee has no email address or mobile number here, so it cannot be told.";
  return `A notice goes to everyone who was a contact of the payee in the last ${CONTACT_AND_BANK_WINDOW_DAYS} days: ${contacts.join(", ")}. The payee’s page says who was told.`;
}
