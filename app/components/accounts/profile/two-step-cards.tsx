import { CodeField } from "~/components/accounts/identity/code-field";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Badge } from "~/components/ui/badge";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { Digits } from "~/components/ui/digits";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { CurrentPasswordField } from "./current-password-field";

type Answered = { answer?: FormAnswer };

/** Two-step sign-in is off. */
export function TwoStepOff({ answer, isRequired }: Answered & { isRequired: boolean }) {
  const mine = answerTo(answer, "begin");
  return (
    <Card
      title="Two-step sign-in"
      description="After your password, you are asked for a code from your phone. A stolen password is then not enough."
    >
      <Form method="post" noValidate className="grid max-w-md gap-5">
        {isRequired && (
          <Callout tone="warning" title="Your organisation asks for it">
            <p>Until it is on, you can view everything but not change anything.</p>
          </Callout>
        )}
        <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
        <HiddenFields values={{ intent: "begin" }} />
        <CurrentPasswordField error={mine?.errors.currentPassword} />
        <div>
          <SubmitButton name="intent" value="begin" pendingText="Starting...">
            Set up
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

/** The app is being introduced: the code to scan, and the first code back. */
export function TwoStepSetUp({ answer, image, secret }: Answered & { image: string; secret: string }) {
  const mine = answerTo(answer, "enable");
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
          <Form method="post" noValidate className="mt-3 grid max-w-md gap-5">
            <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
            <HiddenFields values={{ intent: "enable" }} />
            <CodeField error={mine?.errors.code} />
            <CurrentPasswordField error={mine?.errors.currentPassword} />
            <div>
              <SubmitButton name="intent" value="enable" pendingText="Turning on...">
                Turn on
              </SubmitButton>
            </div>
          </Form>
        </li>
        <li>
          <p>Keep the recovery codes that you are shown then, for the day you lose your phone.</p>
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

/** Two-step sign-in is on. */
export function TwoStepOn({ answer, since, codesLeft }: Answered & { since: string; codesLeft: number }) {
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

const byId = (errors: FormAnswer["errors"] = {}, prefix: string) =>
  Object.fromEntries(Object.entries(errors).map(([name, messages]) => [`${prefix}-${name}`, messages]));

function ProofForm({ answer, intent, button, pending, isDanger }: ProofFormProps) {
  const mine = answerTo(answer, intent);
  return (
    <Form method="post" noValidate className="grid max-w-md gap-5">
      <FormErrorSummary title={mine?.title} errors={byId(mine?.errors, intent)} formErrors={mine?.formErrors} />
      <HiddenFields values={{ intent }} />
      <CodeField idPrefix={intent} error={mine?.errors.code} />
      <CurrentPasswordField idPrefix={intent} error={mine?.errors.currentPassword} />
      <div>
        <SubmitButton name="intent" value={intent} variant={isDanger ? "danger" : "secondary"} pendingText={pending}>
          {button}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** Shown once. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
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
