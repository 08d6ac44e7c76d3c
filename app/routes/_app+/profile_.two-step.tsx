import { data } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CodeField, CurrentPasswordField } from "~/components/accounts/identity/proof-fields";
import { ProfileFrame } from "~/components/accounts/profile/profile-frame";
import { Form, type FormAnswer, keepWhatWasTyped, PostForm, SubmitButton } from "~/components/forms/form";
import { Badge, Callout } from "~/components/ui/elements";
import { Card, Digits, named } from "~/components/ui/page-parts";
import { recoveryCodesCookie } from "~/http/cookies.server";
import { type Accepted, formAction, type PageArgs, page, parseForm, requirePerson } from "~/http/page.server";
import { startSession } from "~/http/session.server";
import { formatDate } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { passwordProofSchema } from "~/modules/accounts/identity/password.server";
import type { SignedIn } from "~/modules/accounts/identity/session.server";
import {
  abandonTwoStep,
  beginTwoStep,
  codeProofSchema,
  disableTwoStep,
  enableTwoStep,
  readTwoStep,
  renewRecoveryCodes,
} from "~/modules/accounts/identity/two-step.server";
import type { Person } from "~/services-and-actor";

type Answered = { answer?: FormAnswer };

function TwoStepOff({ answer, isRequired }: Answered & { isRequired: boolean }) {
  return (
    <Card
      title="Two-step sign-in"
      description="After your password, you are asked for a code from your phone. A stolen password is then not enough."
    >
      {isRequired && (
        <Callout tone="warning" title="Your organisation asks for it" className="mb-5 max-w-md">
          <p>Until it is on, you can view everything but not change anything.</p>
        </Callout>
      )}
      <PostForm intent="begin" answer={answer} className="grid max-w-md gap-5">
        <CurrentPasswordField />
        <div>
          <SubmitButton pendingText="Starting...">Set up</SubmitButton>
        </div>
      </PostForm>
    </Card>
  );
}

/** Setting up the app: the code to scan, and a field for the first code. */
function TwoStepSetUp({ answer, image, secret }: Answered & { image: string; secret: string }) {
  return (
    <Card title="Set up two-step sign-in" description="Three steps, with an authenticator app on your phone.">
      <ol className="grid list-decimal gap-6 pl-5">
        <li>
          <p>Scan this picture with your authenticator app.</p>
          <img
            src={image}
            alt="QR code with the secret below, for your authenticator app"
            width={200}
            height={200}
            className="mt-3 rounded-base bg-white"
          />
          <p className="mt-3 text-ink-soft text-sm">No camera? Type this secret into the app:</p>
          <p className="figures break-words font-medium">{secret}</p>
        </li>
        <li>
          <p>Type the code that the app shows, and your password.</p>
          <PostForm intent="enable" answer={answer} className="mt-3 grid max-w-md gap-5">
            <CodeField />
            <CurrentPasswordField />
            <div>
              <SubmitButton pendingText="Turning on...">Turn on</SubmitButton>
            </div>
          </PostForm>
        </li>
        <li>
          <p>Keep the recovery codes that you see next, in case you lose your phone.</p>
        </li>
      </ol>
      <Form method="post" className="mt-6">
        <SubmitButton name="intent" value="abandon" variant="quiet" pendingText="Stopping...">
          Not now
        </SubmitButton>
      </Form>
    </Card>
  );
}

function TwoStepOn({ answer, since, codesLeft }: Answered & { since: string; codesLeft: number }) {
  return (
    <>
      <Card
        title="Two-step sign-in"
        description={`On since ${since}. ${codesLeft} recovery ${codesLeft === 1 ? "code is" : "codes are"} left.`}
        actions={<Badge tone="verified">On</Badge>}
      >
        <ProofForm answer={answer} intent="renew" button="Make new recovery codes" pending="Making..." />
      </Card>
      <Card title="Turn off two-step sign-in" description="You then sign in with your password alone.">
        <ProofForm answer={answer} intent="disable" button="Turn off" pending="Turning off..." isDanger />
      </Card>
    </>
  );
}

interface ProofFormProps extends Answered {
  intent: string;
  button: string;
  pending: string;
  isDanger?: boolean;
}

function ProofForm({ answer, intent, button, pending, isDanger }: ProofFormProps) {
  return (
    <PostForm intent={intent} idPrefix={intent} answer={answer} className="grid max-w-md gap-5">
      <CodeField />
      <CurrentPasswordField />
      <div>
        <SubmitButton variant={isDanger ? "danger" : "secondary"} pendingText={pending}>
          {button}
        </SubmitButton>
      </div>
    </PostForm>
  );
}

/** Shown once. */
function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <Callout tone="warning" role="status" title="Keep these recovery codes now: they are not shown again">
      <p>Each of them works once, instead of a code from your app. Print them, or keep them with your passwords.</p>
      <ul className="mt-3 grid gap-1 font-medium sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <Digits>{code}</Digits>
          </li>
        ))}
      </ul>
    </Callout>
  );
}

const HERE = appPaths.twoStep;

export const { meta, ErrorBoundary } = named("Two-step sign-in", "Error Loading Your Profile");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, request } = scope;
  const person = await requirePerson(scope);
  const [twoStep, fresh] = await Promise.all([
    readTwoStep(services, person),
    recoveryCodesCookie.read(services, request),
  ]);
  const view = twoStep.state === "on" ? { ...twoStep, since: formatDate(twoStep.enabledAt) } : twoStep;
  const codes = fresh?.userId === person.userId ? fresh.codes : [];
  const body = { view, codes, isRequired: person.needsTwoStep };
  return data(body, fresh ? { headers: { "Set-Cookie": await recoveryCodesCookie.drop(services) } } : {});
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const person = await requirePerson(scope);
  return formAction(scope, (form) => changeTwoStep(scope.services, person, form), { title: "Nothing was changed" });
});

export const clientAction = keepWhatWasTyped;

async function changeTwoStep(services: PageArgs["services"], person: Person, form: FormData): Promise<Accepted> {
  switch (form.get("intent")) {
    case "enable": {
      const enabled = await enableTwoStep(services, person, parseForm(form, codeProofSchema));
      return acceptWithSession(services, enabled, "Two-step sign-in is on", enabled.codes);
    }
    case "renew": {
      const renewed = await renewRecoveryCodes(services, person, parseForm(form, codeProofSchema));
      return acceptWithSession(services, renewed, "The old recovery codes no longer work", renewed.codes);
    }
    case "disable": {
      const disabled = await disableTwoStep(services, person, parseForm(form, codeProofSchema));
      return acceptWithSession(services, disabled, "Two-step sign-in is off");
    }
    case "abandon":
      await abandonTwoStep(services, person);
      return { to: HERE };
    default:
      await beginTwoStep(services, person, parseForm(form, passwordProofSchema));
      return { to: HERE };
  }
}

/** A new session, because the old ones have ended. The codes are passed, encrypted, to the one page that shows them. */
async function acceptWithSession(
  services: PageArgs["services"],
  { token, person }: SignedIn,
  title: string,
  codes: string[] = [],
): Promise<Accepted> {
  const headers = new Headers({ "Set-Cookie": await startSession(services, token) });
  if (codes.length > 0) {
    headers.append("Set-Cookie", await recoveryCodesCookie.keep(services, { userId: person.userId, codes }));
  }
  return { to: HERE, headers, flash: { tone: "success", title, description: "You were signed out everywhere else." } };
}

export default function TwoStepPage() {
  const { view, codes, isRequired } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <ProfileFrame>
      {codes.length > 0 && <RecoveryCodes codes={codes} />}
      {view.state === "off" && <TwoStepOff answer={answer} isRequired={isRequired} />}
      {view.state === "setting_up" && <TwoStepSetUp answer={answer} image={view.image} secret={view.secret} />}
      {view.state === "on" && <TwoStepOn answer={answer} since={view.since} codesLeft={view.codesLeft} />}
    </ProfileFrame>
  );
}
