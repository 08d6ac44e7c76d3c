import { type AnsweredField, describeFields, type FieldConstraints } from "~/components/forms/answered-form";
import { TextInput } from "~/components/forms/text-input";
import { Textarea } from "~/components/forms/textarea";
import { Button } from "~/components/ui/button";
import type { FormAnswer } from "~/kernel/form-answer";
import { FIELD_LABELS } from "~/kernel/payee";
import type { LookUpView } from "~/modules/directories/register.view";
import type { PayeeFormValues } from "~/modules/payees/payee.view";
import { AccountFields } from "./account-fields";

interface PayeeFieldsProps {
  constraints: FieldConstraints;
  /** What is in the fields before anything was sent. */
  values: PayeeFormValues;
  answer?: FormAnswer;
}

/** The fields of a payee, in two groups: where the money goes, and who is behind it. */
export function PayeeFields({ constraints, values, answer }: PayeeFieldsProps) {
  const fields = describeFields({ constraints, answer, defaultValue: values });
  return (
    <>
      {/* Enter in a field presses the first button of the form: it must be this, not the look-up. */}
      <button type="submit" hidden>
        Save
      </button>
      <AccountFields
        legend="Bank details"
        nameHint="Exactly as the payee gave it; it is compared with the bank's."
        fields={fields}
      />
      <fieldset className="grid gap-5 sm:grid-cols-2">
        <legend className="mb-4 font-semibold text-md">Payee</legend>
        <TextInput
          {...fields.name}
          label={FIELD_LABELS.name}
          hint="What your organisation calls it"
          autoComplete="off"
        />
        <TextInput
          {...fields.abn}
          label={FIELD_LABELS.abn}
          hint="11 digits"
          digits
          inputMode="numeric"
          autoComplete="off"
        />
        <RegisterOffer answer={answer} />
        <ContactInputs fields={fields} />
        <Textarea
          {...fields.address}
          label={FIELD_LABELS.address}
          rows={2}
          autoComplete="off"
          className="sm:col-span-2"
        />
      </fieldset>
    </>
  );
}

/** How the payee is reached: a verification link goes to either. */
function ContactInputs({ fields }: { fields: Record<"email" | "phone", AnsweredField> }) {
  return (
    <>
      <TextInput
        {...fields.email}
        type="email"
        label={FIELD_LABELS.email}
        hint="The verification link goes here"
        autoComplete="off"
      />
      <TextInput
        {...fields.phone}
        type="tel"
        label={FIELD_LABELS.phone}
        hint="A mobile can get the link as a text message"
        autoComplete="off"
      />
    </>
  );
}

/**
 * Looks the ABN up, or finds ABNs for the name: a step of the form, so it works without scripts and loses nothing that was
 * typed.
 */
function RegisterOffer({ answer }: { answer?: FormAnswer }) {
  const offer = answer?.code === "NEXT_STEP" ? (answer.extra?.register as LookUpView | undefined) : undefined;
  return (
    <div className="grid gap-3 sm:col-span-2">
      <div>
        <Button type="submit" name="intent" value="look-up" variant="secondary" size="sm" icon="search" formNoValidate>
          Look up in the business register
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {offer && <Offered offer={offer} />}
      </div>
    </div>
  );
}

function Offered({ offer }: { offer: LookUpView }) {
  if (offer.kind === "silent") return <p className="text-base text-ink-soft">{offer.sentence}</p>;
  if (offer.kind === "abn") {
    return (
      <p className={offer.isGood ? "text-base" : "text-base text-review"}>
        {offer.sentence}{" "}
        {offer.name && (
          <Button type="submit" name="takeName" value={offer.name} variant="quiet" size="sm" formNoValidate>
            Use this name
          </Button>
        )}
      </p>
    );
  }
  return (
    <ul aria-label="ABNs with a name like this" className="grid gap-2">
      {offer.hits.map(({ abn, shownAbn, name, detail }) => (
        <li key={abn} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
          <Button type="submit" name="takeAbn" value={abn} variant="secondary" size="sm" formNoValidate>
            Use {shownAbn}
          </Button>
          <span>
            {name}
            {detail && <span className="text-ink-soft"> ({detail})</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}
