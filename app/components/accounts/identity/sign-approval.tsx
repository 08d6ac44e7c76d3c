import { useNavigation } from "@remix-run/react";
import { useRef, useState } from "react";
import { HiddenFields } from "~/components/forms/form";
import { Button, Link } from "~/components/ui/elements";
import { DefinitionList } from "~/components/ui/page-parts";
import { useHydrated } from "~/components/use-hydrated";
import { appPaths } from "~/kernel/paths/app";
import type { OfferedApproval } from "~/modules/accounts/identity/signed-approval.server";

const BROWSER =
  "To decide this, use a browser with JavaScript and your passkey, or ask another approver who has a passkey.";

/** How many items of a long list are shown before it is collapsed: the lines of a payment file. */
const SHOWN = 7;

interface SignApprovalProps {
  approval: OfferedApproval;
  /** The name and value that the form's submit button would have. */
  name?: string;
  value?: string;
  /** Approving is not the highlighted action, because there is a warning. */
  isSecondary?: boolean;
}

/**
 * Replaces a form's submit button: shows what the person's passkey will sign, and a button that asks the device and
 * then sends the form. An incomplete form is sent without asking the device, so that the server reports what is
 * missing.
 */
export function SignApproval({ approval, name, value, isSecondary = false }: SignApprovalProps) {
  const { options, shows, sealed, countsFrom } = approval;
  const isHydrated = useHydrated();
  const navigation = useNavigation();
  const field = useRef<HTMLInputElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const items = shows.map(({ term, value }) => ({ term, value: <span className="break-words">{value}</span> }));

  const press = async () => {
    const form = submit.current?.form;
    if (!form || !options || !field.current) return;
    field.current.value = "";
    setProblem(undefined);
    if (form.checkValidity()) {
      setAsking(true);
      try {
        const { startAuthentication } = await import("./device.client");
        field.current.value = JSON.stringify(await startAuthentication({ optionsJSON: options }));
      } catch {
        setProblem("Nothing was decided: the request was cancelled or took too long, or no passkey was found here.");
        return;
      } finally {
        setAsking(false);
      }
    }
    form.requestSubmit(submit.current);
  };

  return (
    <section
      aria-label="Approve with a passkey"
      className="grid w-full max-w-[44rem] gap-3 rounded-base border border-line p-4"
    >
      <p className="font-medium text-base">Your passkey signs exactly this</p>
      <DefinitionList items={items.slice(0, SHOWN)} />
      {items.length > SHOWN && (
        <details>
          <summary className="cursor-pointer text-accent-text text-base">The other {items.length - SHOWN}</summary>
          <DefinitionList items={items.slice(SHOWN)} />
        </details>
      )}
      <HiddenFields values={{ shownToPasskey: sealed }} />
      <input type="hidden" name="passkey" ref={field} />
      <button type="submit" hidden tabIndex={-1} name={name} value={value} ref={submit} />
      <noscript>
        <p className="text-base">{BROWSER}</p>
      </noscript>
      {options === null ? (
        <p className="text-base">
          {countsFrom === null
            ? "None of your passkeys works here. Add one, or ask another approver."
            : `Your passkey is new: you can approve with it from ${countsFrom}. Until then, ask another approver.`}{" "}
          <Link to={appPaths.passkeys} className="text-accent-text underline underline-offset-2">
            Your passkeys
          </Link>
        </p>
      ) : (
        isHydrated && (
          <div>
            <Button
              variant={isSecondary ? "secondary" : "primary"}
              icon="key"
              onClick={press}
              pending={isAsking || navigation.formData?.get("shownToPasskey") === sealed}
              pendingText="Waiting..."
            >
              Approve with passkey
            </Button>
          </div>
        )
      )}
      {isHydrated && !("PublicKeyCredential" in window) && <p className="text-base">{BROWSER}</p>}
      {problem && (
        <p role="alert" className="text-base text-review">
          {problem}
        </p>
      )}
    </section>
  );
}
