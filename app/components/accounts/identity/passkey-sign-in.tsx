import { useNavigation, useSubmit } from "@remix-run/react";
import { useCallback, useEffect, useState } from "react";
import { Button } from "~/components/ui/elements";
import { useHydrated } from "~/components/use-hydrated";
import { sitePaths, withQuery } from "~/kernel/paths/site";

type Step = "first" | "second" | "confirm";

/** A new challenge is requested before the present one expires, because a page may stay open for hours. */
const ASK_AGAIN_MS = 8 * 60_000;

/** Loaded when it is needed, because most people sign in with a password. */
const loadLibrary = () => import("./device.client");

const NOT_USED = "No passkey was used. Try again, or sign in with your password.";

/**
 * Asks the person's device for a passkey.
 * @param autofill lets the browser offer passkeys in the address field, and waits until one is chosen
 * @returns the device's answer as JSON
 */
async function askDevice(step: Step, autofill: boolean): Promise<string> {
  const { startAuthentication } = await loadLibrary();
  const asked = await fetch(withQuery(sitePaths.passkeyOptions, step === "first" ? {} : { step }), { method: "POST" });
  if (!asked.ok) throw new Error("not asked");
  const answer = await startAuthentication({ optionsJSON: await asked.json(), useBrowserAutofill: autofill });
  return JSON.stringify(answer);
}

interface PasskeySignInProps {
  step: Step;
  next: string | null;
  /** The address that the page's form posts to. */
  action: string;
  /** The person has no code that they could enter instead. */
  isOnlyWay?: boolean;
}

/** Sign-in with a passkey: a button and, on the first step, the browser's suggestions in the address field. */
export function PasskeySignIn({ step, next, action, isOnlyWay = false }: PasskeySignInProps) {
  const isHydrated = useHydrated();
  const submit = useSubmit();
  const navigation = useNavigation();
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const send = useCallback(
    (passkey: string) => {
      const fields = { tab: "login", passkey, ...(next === null ? {} : { next }) };
      submit(fields, { method: "post", action });
    },
    [submit, next, action],
  );
  useAutofill(step === "first", send);
  const press = async () => {
    setProblem(undefined);
    setAsking(true);
    try {
      send(await askDevice(step, false));
    } catch {
      setProblem(
        step === "first" ? NOT_USED : `No passkey was used. Try again${isOnlyWay ? "" : ", or enter the code"}.`,
      );
    } finally {
      setAsking(false);
    }
  };
  const isSending = navigation.formData?.has("passkey") === true;
  const instead = step === "first" ? " Use your password instead." : isOnlyWay ? "" : " Enter the code instead.";
  return (
    <div className="grid gap-2">
      <noscript>
        <p className="text-ink-soft text-sm">
          {`${step === "confirm" ? "Using" : "Signing in with"} a passkey needs JavaScript, which is off in this browser.${instead}`}
        </p>
      </noscript>
      {(!isHydrated || "PublicKeyCredential" in window) && (
        <Button
          variant={isOnlyWay ? "primary" : "secondary"}
          icon="key"
          onClick={press}
          pending={isAsking || isSending}
          pendingText="Waiting..."
          // Its space is reserved before it can be pressed, so that the content below does not move under the pointer.
          className={isHydrated ? undefined : "invisible unscripted:hidden"}
        >
          {step === "first" ? "Sign in with a passkey" : isOnlyWay ? "Use your passkey" : "Use a passkey instead"}
        </Button>
      )}
      {problem && (
        <p role="alert" className="text-base text-review">
          {problem}
        </p>
      )}
    </div>
  );
}

/** Lets the browser offer passkeys in the address field, if it can. If that fails, the button remains. */
function useAutofill(isOn: boolean, send: (passkey: string) => void): void {
  useEffect(() => {
    if (!isOn || !("PublicKeyCredential" in window)) return;
    let isOver = false;
    let cancel = () => {};
    const ask = async () => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || isOver) return;
      const { WebAuthnAbortService } = await loadLibrary();
      cancel = () => WebAuthnAbortService.cancelCeremony();
      const passkey = await askDevice("first", true);
      if (!isOver) send(passkey);
    };
    const start = () => void ask().catch(() => undefined);
    start();
    const timer = setInterval(start, ASK_AGAIN_MS);
    return () => {
      isOver = true;
      clearInterval(timer);
      cancel();
    };
  }, [isOn, send]);
}
