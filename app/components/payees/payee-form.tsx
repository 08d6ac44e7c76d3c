import { Link } from "@remix-run/react";
import { type FocusEvent, type ReactNode, useRef, useState } from "react";
import { Textarea, TextInput } from "~/components/forms/fields";
import { type FormAnswer, FormErrorSummary, useFormContext } from "~/components/forms/form";
import { SubscriptionEnded } from "~/components/forms/refused-act";
import { Button, Callout, Icon, linkClass } from "~/components/ui/elements";
import { appPaths } from "~/kernel/paths/app";
import { FIELD_LABELS, PAYEE_FIELDS } from "~/kernel/payee";
import type { LookUpView } from "~/modules/directories/register";
import type { KnownPayee } from "~/modules/payees/payee-form.server";
import { AccountFields } from "./account-fields";

/** The fields of a payee in two groups: the account, and the contact details. */
export function PayeeFields() {
  return (
    <>
      {/* Enter in a field presses the form's first button, which must be this one rather than the look-up. */}
      <button type="submit" hidden>
        Save
      </button>
      <AccountFields
        legend="Bank details"
        nameHint="Exactly as the payee gave it. We compare it with the name at the bank."
      />
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
          hint="We can text the link to a mobile number"
          autoComplete="off"
        />
        <Textarea name="address" label={FIELD_LABELS.address} rows={2} autoComplete="off" className="sm:col-span-2" />
      </fieldset>
    </>
  );
}

/** Looks the ABN up, or finds ABNs for the name: a step of the form, with or without scripts. */
function RegisterOffer() {
  const { answer } = useFormContext();
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

const ASKED = ["bsb", "accountNumber", "abn"];

interface KnownPayeesProps {
  /** The payee being edited, which is not its own duplicate. */
  payeeId?: string;
  children: ReactNode;
}

/**
 * Shows which payees already have the typed account or ABN: with scripts when a field is left, without them as a step
 * of the form. If the look-up fails, there is simply no hint.
 */
export function KnownPayees({ payeeId, children }: KnownPayeesProps) {
  const { answer } = useFormContext();
  const [found, setFound] = useState<KnownPayee[] | null>(null);
  const asked = useRef("");
  const look = async ({ target }: FocusEvent) => {
    const { name, form } = target as HTMLInputElement;
    if (!form || !ASKED.includes(name)) return;
    const typed = new FormData(form);
    const body = new URLSearchParams(ASKED.map((field) => [field, String(typed.get(field) ?? "")]));
    if (payeeId) body.set("payeeId", payeeId);
    if (body.toString() === asked.current) return;
    asked.current = body.toString();
    try {
      const response = await fetch(appPaths.knownPayees, { method: "POST", body });
      const { known } = (response.ok ? await response.json() : { known: null }) as { known: KnownPayee[] | null };
      if (asked.current === body.toString()) setFound(known);
    } catch {
      setFound(null);
    }
  };
  const told = answer?.code === "NEXT_STEP" ? (answer.extra?.known as KnownPayee[] | undefined) : undefined;
  const known = found ?? told;
  return (
    // The fields inside take the focus; this only listens.
    // biome-ignore lint/a11y/noStaticElementInteractions: no interaction of its own
    <div onBlur={look} className="grid gap-8">
      {children}
      <div className="grid gap-3">
        <noscript>
          <Button type="submit" name="intent" value="known" variant="secondary" size="sm" icon="search" formNoValidate>
            Look for the same account or ABN
          </Button>
        </noscript>
        <div role="status" className="grid gap-1 text-base empty:hidden">
          {known?.map(({ href, name, sentence }) => (
            <p key={href} className="flex gap-1.5 text-review">
              <Icon name="alert" className="mt-0.5 size-4" />
              <span>
                <Link to={href} className="font-medium underline underline-offset-2">
                  {name}
                </Link>{" "}
                {sentence}
              </span>
            </p>
          ))}
          {told && !found && told.length === 0 && <p>None of your payees has this account or ABN.</p>}
        </div>
      </div>
    </div>
  );
}

/** The errors of a payee form at its top, with a link to the solution if there is one. */
export function FormProblems({ answer }: { answer: FormAnswer }) {
  const { code, extra, errors, formErrors } = answer;
  if (code === "DUPLICATE_PAYEE") {
    return (
      <Callout tone="warning" role="alert" title="You already have a payee with this account" className="mb-6">
        The account belongs to{" "}
        <Link to={appPaths.payee(String(extra?.payeeId))} className={linkClass}>
          {String(extra?.payeeName)}
        </Link>
        . Open it instead, or look for a mistyped digit.
      </Callout>
    );
  }
  if (code === "SUBSCRIPTION_REQUIRED") return <SubscriptionEnded message={formErrors.join(" ")} />;
  const inOrder = Object.fromEntries(PAYEE_FIELDS.map((field) => [field, errors[field]]));
  return <FormErrorSummary errors={inOrder} formErrors={formErrors} />;
}
