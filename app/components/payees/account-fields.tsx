import { useEffect, useRef, useState } from "react";
import { TextInput, type TextInputProps } from "~/components/forms/fields";
import { Icon } from "~/components/ui/elements";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { FIELD_LABELS } from "~/kernel/payee";
import type { Evidence } from "~/modules/payees/verifications/verification";

type Institution = Evidence["institution"];
type Found = { institution: Institution } | null;

const SIX_DIGITS = /^\d{3}[\s-]?\d{3}$/;

/** The BSB field; with scripts, shows the institution once the field is left; no hint if the look-up fails. */
function BsbField(props: Omit<TextInputProps, "digits" | "onBlur">) {
  const [found, setFound] = useState<Found>(null);
  const asked = useRef("");
  const box = useRef<HTMLDivElement>(null);
  const look = async (bsb: string) => {
    if (bsb === asked.current) return;
    asked.current = bsb;
    setFound(null);
    if (!SIX_DIGITS.test(bsb)) return;
    try {
      const response = await fetch(withQuery(appPaths.institution, { bsb }));
      const answer = response.ok ? ((await response.json()) as Found) : null;
      if (asked.current === bsb) setFound(answer);
    } catch {
      setFound(null);
    }
  };
  // The field may have been filled and left before the scripts arrived.
  useEffect(() => {
    const field = box.current?.querySelector("input");
    if (field && field !== document.activeElement && field.value !== field.defaultValue) look(field.value.trim());
  });
  return (
    <div ref={box} className={props.className}>
      <TextInput
        {...props}
        className={undefined}
        digits
        inputMode="numeric"
        autoComplete="off"
        onBlur={(event) => look(event.currentTarget.value.trim())}
      />
      <p aria-live="polite" className="mt-1.5 text-sm empty:hidden">
        {found && <InstitutionHint institution={found.institution} />}
      </p>
    </div>
  );
}

function InstitutionHint({ institution }: { institution: Institution }) {
  const isProblem = !institution || institution.problem;
  return (
    <span className={isProblem ? "inline-flex gap-1.5 text-review" : "inline-flex gap-1.5 text-ink-soft"}>
      <Icon name={isProblem ? "alert" : "bank"} className="mt-0.5 size-4" />
      {institution
        ? [institution.name, institution.branch, institution.problem].filter(Boolean).join(". ")
        : "No institution is known for this BSB."}
    </span>
  );
}

/** The bank account of a payee, or of a payment to an account without a payee. */
export function AccountFields({ legend, nameHint }: { legend: string; nameHint: string }) {
  return (
    <fieldset className="grid gap-5 sm:grid-cols-2">
      <legend className="mb-4 font-semibold text-md">{legend}</legend>
      <TextInput
        name="accountName"
        label={FIELD_LABELS.accountName}
        hint={nameHint}
        autoComplete="off"
        className="sm:col-span-2"
      />
      <BsbField name="bsb" label={FIELD_LABELS.bsb} hint="Six digits, such as 062-000" />
      <TextInput
        name="accountNumber"
        label={FIELD_LABELS.accountNumber}
        hint="Four to nine digits"
        digits
        inputMode="numeric"
        autoComplete="off"
      />
    </fieldset>
  );
}
