import { Textarea, TextInput } from "~/components/forms/fields";
import { useFormAround } from "~/components/forms/form-around";
import { Button } from "~/components/ui/button";
import { FIELD_LABELS } from "~/kernel/payee";
import type { LookUpView } from "~/modules/directories/register.view";
import { AccountFields } from "./account-fields";

/** The fields of a payee, in two groups: where the money goes, and who is behind it. */
export function PayeeFields() {
  return (
    <>
      {/* Enter in a field presses the first button of the form: it must be this, not the look-up. */}
      <button type="submit" hidden>
        Save
      </button>
      <AccountFields legend="Bank details" nameHint="Exactly as the payee gave it; it is compared with the bank's." />
      <fieldset className="grid gap-5 sm:grid-cols-2">
        <legend className="mb-4 font-semibold text-md">Payee</legend>
        <TextInput name="name" label={FIELD_LABELS.name} hint="What your organisation calls it" autoComplete="off" />
        <TextInput name="abn" label={FIELD_LABELS.abn} hint="11 digits" digits inputMode="numeric" autoComplete="off" />
        <RegisterOffer />
        <TextInput
          name="email"
          type="email"
          label={FIELD_LABELS.email}
          hint="The verification link goes here"
          autoComplete="off"
        />
        <TextInput
          name="phone"
          type="tel"
          label={FIELD_LABELS.phone}
          hint="A mobile can get the link as a text message"
          autoComplete="off"
        />
        <Textarea name="address" label={FIELD_LABELS.address} rows={2} autoComplete="off" className="sm:col-span-2" />
      </fieldset>
    </>
  );
}

/**
 * Looks the ABN up, or finds ABNs for the name: a step of the form, so it works without scripts and loses nothing that was
 * typed.
 */
function RegisterOffer() {
  const { answer } = useFormAround();
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
