import { Link } from "@remix-run/react";
import { type FocusEvent, type ReactNode, useRef, useState } from "react";
import { useFormAround } from "~/components/forms/form-around";
import { Button } from "~/components/ui/button";
import { Icon } from "~/components/ui/icons";
import { appPaths } from "~/kernel/paths/app";
import type { KnownPayee } from "~/modules/payees/payee-form.server";

const ASKED = ["bsb", "accountNumber", "abn"];

interface KnownPayeesProps {
  /** The payee that is being edited: it is not its own duplicate. */
  payeeId?: string;
  children: ReactNode;
}

/**
 * Says which payees have the account or ABN that is typed: with scripts when one of the fields is left, without them as a
 * step of the form. Only ever a help: no answer, no hint.
 */
export function KnownPayees({ payeeId, children }: KnownPayeesProps) {
  const { answer } = useFormAround();
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
