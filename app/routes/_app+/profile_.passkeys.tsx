import { useActionData, useLoaderData, useNavigation, useSubmit } from "@remix-run/react";
import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { useCallback, useEffect, useState } from "react";
import { CodeField, CurrentPasswordField } from "~/components/accounts/identity/proof-fields";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { TextInput } from "~/components/forms/fields";
import {
  answerTo,
  type FormAnswer,
  HiddenFields,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { Button, Callout } from "~/components/ui/elements";
import { Card, named, Time } from "~/components/ui/page-parts";
import { newPasskeyCookie } from "~/http/cookies.server";
import {
  type Accepted,
  formAction,
  type NextStep,
  type PageArgs,
  page,
  parseForm,
  requirePerson,
} from "~/http/page.server";
import { startSession } from "~/http/session.server";
import { appPaths } from "~/kernel/paths/app";
import { relyingParty } from "~/modules/accounts/identity/passkey-assertion.server";
import {
  addPasskey,
  addPasskeySchema,
  beginPasskey,
  beginPasskeySchema,
  listPasskeys,
  type PasskeyView,
  removePasskey,
  removePasskeySchema,
  renamePasskey,
  renamePasskeySchema,
} from "~/modules/accounts/identity/passkeys.server";
import { describeDevice, type SignedIn } from "~/modules/accounts/identity/session.server";
import type { Person } from "~/services-and-actor";

const HERE = appPaths.passkeys;

export const { meta, ErrorBoundary } = named("Passkeys", "Error Loading Your Profile");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, origin } = scope;
  const person = await requirePerson(scope);
  return {
    passkeys: await listPasskeys(services, person),
    isPossible: relyingParty(services).isPossible,
    asksForCode: person.twoStepEnabled,
    suggestedName: describeDevice(origin.userAgent),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return formAction(scope, (form) => changePasskeys(scope, person, form), { title: "Nothing was changed" });
});

export const clientAction = keepWhatWasTyped;

async function changePasskeys(scope: PageArgs, person: Person, form: FormData): Promise<Accepted | NextStep> {
  const { services, request } = scope;
  switch (withoutRow(form.get("intent"))) {
    case "add": {
      const { name, passkey: response } = parseForm(form, addPasskeySchema);
      const kept = await newPasskeyCookie.read(services, request);
      const added = await addPasskey(services, person, { name, response, kept });
      return acceptWithSession(services, added, "Passkey added");
    }
    case "rename": {
      await renamePasskey(services, person, parseForm(form, renamePasskeySchema));
      return { to: HERE, flash: { tone: "success", title: "Passkey renamed" } };
    }
    case "remove": {
      const removed = await removePasskey(services, person, parseForm(form, removePasskeySchema));
      return acceptWithSession(services, removed, "Passkey removed");
    }
    default: {
      const { name, ...proof } = parseForm(form, beginPasskeySchema);
      const { options, kept } = await beginPasskey(services, person, proof);
      return { next: { options, name }, headers: { "Set-Cookie": await newPasskeyCookie.keep(services, kept) } };
    }
  }
}

/** Each row has its own forms: `remove-` with the id of the passkey. */
const withoutRow = (intent: FormDataEntryValue | null) => String(intent ?? "").split("-")[0];

/** A new session, because the old ones have ended. */
async function acceptWithSession(
  services: PageArgs["services"],
  { token }: SignedIn,
  title: string,
): Promise<Accepted> {
  const headers = new Headers({ "Set-Cookie": await startSession(services, token) });
  headers.append("Set-Cookie", await newPasskeyCookie.drop(services));
  return { to: HERE, headers, flash: { tone: "success", title, description: "You were signed out everywhere else." } };
}

export default function PasskeysPage() {
  const { passkeys, isPossible, asksForCode, suggestedName } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  const begun = answer?.code === "NEXT_STEP" ? (answer.extra as Begun) : undefined;
  return (
    <ProfileFrame>
      <PasskeyList passkeys={passkeys} asksForCode={asksForCode} answer={answer} />
      {!isPossible && (
        <Callout tone="info" title="Passkeys cannot be added at this address">
          <p>Browsers make passkeys for domain names only, and the address of this page is a number.</p>
        </Callout>
      )}
      {isPossible && begun && <ConfirmOnDevice begun={begun} />}
      {isPossible && !begun && <AddPasskey {...{ asksForCode, suggestedName, answer }} />}
    </ProfileFrame>
  );
}

interface AddPasskeyProps {
  asksForCode: boolean;
  suggestedName: string;
  answer?: FormAnswer;
}

/** The account is proved first; the device is asked afterwards. */
function AddPasskey({ asksForCode, suggestedName, answer }: AddPasskeyProps) {
  return (
    <Card
      title="Add a passkey"
      description="You then sign in with your fingerprint, face or PIN of this device, or with a security key. A passkey works at our address only: a fake page cannot use it."
    >
      <NeedsScripts />
      <PostForm intent="begin" answer={shown(answer)} values={{ name: suggestedName }} className="grid max-w-md gap-5">
        <TextInput
          name="name"
          label="Name"
          hint="So that you know which device it is"
          required
          maxLength={60}
          autoComplete="off"
        />
        <CurrentPasswordField />
        {asksForCode && <CodeField />}
        <div>
          <SubmitButton pendingText="Starting...">Add a passkey</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

/** An error in the device's answer is shown in the form that starts again. */
function shown(answer: FormAnswer | undefined): FormAnswer | undefined {
  const refused = answerTo(answer, "add");
  return refused ? { ...refused, intent: "begin" } : answer;
}

const NeedsScripts = () => (
  <noscript>
    <p className="mb-5 text-base">
      Adding a passkey needs JavaScript, which is off in this browser. Your password keeps working.
    </p>
  </noscript>
);

type Begun = { options: PublicKeyCredentialCreationOptionsJSON; name: string };

/** Asks the device at once, and again when a button is pressed, because some browsers require that. */
function ConfirmOnDevice({ begun }: { begun: Begun }) {
  const submit = useSubmit();
  const navigation = useNavigation();
  const [problem, setProblem] = useState<string>();
  const ask = useCallback(async () => {
    setProblem(undefined);
    try {
      const { startRegistration } = await import("~/components/accounts/identity/device.client");
      const made = await startRegistration({ optionsJSON: begun.options });
      submit({ intent: "add", name: begun.name, passkey: JSON.stringify(made) }, { method: "post", action: HERE });
    } catch (error) {
      setProblem(whyNot(error));
    }
  }, [begun, submit]);
  useEffect(() => {
    void ask();
  }, [ask]);
  return (
    <Card
      title="Confirm on your device"
      description={`Your browser asks how to save the passkey "${begun.name}". You have ten minutes.`}
    >
      <NeedsScripts />
      {problem && (
        <p role="alert" className="mb-5 text-base text-review">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          onClick={() => void ask()}
          pending={navigation.formData?.has("passkey") === true}
          pendingText="Adding..."
        >
          Ask my device again
        </Button>
        <Button variant="quiet" to={HERE} reloadDocument>
          Cancel
        </Button>
      </div>
    </Card>
  );
}

/** InvalidStateError means that the device already has a passkey for this account (WebAuthn, 5.1.3). */
const whyNot = (error: unknown): string =>
  error instanceof Error && error.name === "InvalidStateError"
    ? "This device already has a passkey for your account."
    : "No passkey was added: the request was cancelled or took too long, or this browser cannot keep one.";

interface PasskeyListProps {
  passkeys: PasskeyView[];
  asksForCode: boolean;
  answer?: FormAnswer;
}

function PasskeyList({ passkeys, asksForCode, answer }: PasskeyListProps) {
  return (
    <Card
      flush
      title="Your passkeys"
      description={`Each one signs you in without the password. If you lose them all, ${asksForCode ? "your password with a code or a recovery code keeps" : "your password keeps"} working.`}
    >
      {passkeys.length === 0 ? (
        <p className="border-line border-t px-5 py-4 text-base text-ink-soft">You have no passkey yet.</p>
      ) : (
        <ul className="divide-y divide-line border-line border-t">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="grid gap-3 px-5 py-4">
              <div className="min-w-0">
                <p className="break-words font-medium">{passkey.name}</p>
                <p className="text-ink-soft text-sm">
                  Added {passkey.added},{" "}
                  {passkey.lastUsed ? (
                    <>
                      last used <Time {...passkey.lastUsed} />
                    </>
                  ) : (
                    "never used"
                  )}
                </p>
                <p className="text-ink-soft text-sm">{whereKept(passkey)}</p>
                {passkey.newUntil && (
                  <p className="text-review text-sm">
                    New: it signs you in, and can approve from {passkey.newUntil}. If you did not add it, remove it now.
                  </p>
                )}
              </div>
              <RenamePasskey passkey={passkey} answer={answer} />
              <RemovePasskey passkey={passkey} asksForCode={asksForCode} answer={answer} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const whereKept = ({ kind, isBackedUp }: PasskeyView): string => {
  if (kind === "singleDevice") return "Kept on one device only.";
  return isBackedUp
    ? "Backed up by its password manager."
    : "Can be backed up by its password manager, but is not yet.";
};

type RowProps = { passkey: PasskeyView; answer?: FormAnswer };

function RenamePasskey({ passkey, answer }: RowProps) {
  const intent = `rename-${passkey.id}`;
  return (
    <details key={passkey.name} open={answerTo(answer, intent) !== undefined}>
      <summary className="cursor-pointer text-accent-text text-sm">
        Rename <span className="sr-only">{passkey.name}</span>
      </summary>
      <PostForm
        intent={intent}
        idPrefix={intent}
        answer={answer}
        values={{ name: passkey.name }}
        className="mt-3 grid max-w-md gap-4"
      >
        <HiddenFields values={{ passkeyId: passkey.id }} />
        <TextInput name="name" label="New name" required maxLength={60} autoComplete="off" />
        <div>
          <SubmitButton variant="secondary" pendingText="Saving...">
            Save the name
          </SubmitButton>
        </div>
      </PostForm>
    </details>
  );
}

function RemovePasskey({ passkey, asksForCode, answer }: RowProps & { asksForCode: boolean }) {
  const intent = `remove-${passkey.id}`;
  return (
    <details open={answerTo(answer, intent) !== undefined}>
      <summary className="cursor-pointer text-accent-text text-sm">
        Remove <span className="sr-only">{passkey.name}</span>
      </summary>
      <PostForm intent={intent} idPrefix={intent} answer={answer} className="mt-3 grid max-w-md gap-4">
        <HiddenFields values={{ passkeyId: passkey.id }} />
        <CurrentPasswordField />
        {asksForCode && <CodeField />}
        <div>
          <SubmitButton variant="danger" pendingText="Removing...">
            Remove this passkey
          </SubmitButton>
        </div>
      </PostForm>
    </details>
  );
}
