import type { ReactNode } from "react";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { SubmitButton } from "~/components/forms/submit-button";
import { Disclosure } from "~/components/ui/disclosure";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { AccountPasswordField } from "./account-password-field";
import { NewPasswordFields } from "./new-password-fields";

interface RegistrationProps {
  email: string;
  /** The name that was typed into the registration form. */
  registeredBy: string;
  registeredAt: string;
  organizationName: string | null;
  answer?: FormAnswer;
}

/**
 * Confirms an address for the person who holds the mailbox and the account. Someone who is signed in to the account
 * presses a button; others give its password or choose a new one.
 */
export function ConfirmRegistration({ isSignedIn, ...registration }: RegistrationProps & { isSignedIn: boolean }) {
  const { email, answer } = registration;
  return (
    <>
      <WhoRegistered {...registration} />
      {isSignedIn ? (
        <PostForm intent="confirm" answer={answer} button="Confirm my address" pending="Confirming..." />
      ) : (
        <>
          <PostForm intent="confirm" answer={answer} button="Confirm my address" pending="Confirming...">
            <p>To confirm the address, enter the password of this account.</p>
            <AccountPasswordField email={email} error={answerTo(answer, "confirm")?.errors.password} />
          </PostForm>
          <div className="mt-6 border-line border-t">
            <Disclosure
              summary="I do not know the password"
              name="other-ways"
              open={answerTo(answer, "new-password") !== undefined}
            >
              <PostForm
                intent="new-password"
                answer={answer}
                button="Set the password and confirm"
                pending="Confirming..."
                isSecondary
              >
                <p>
                  Choose a new password for {email}. Everyone who is signed in to this account is signed out, its API
                  tokens stop working, and two-step sign-in is turned off.
                </p>
                <NewPasswordFields email={email} errors={answerTo(answer, "new-password")?.errors} idPrefix="new" />
              </PostForm>
            </Disclosure>
          </div>
        </>
      )}
      <DisownRegistration {...registration} />
    </>
  );
}

function WhoRegistered({ email, registeredBy, registeredAt, organizationName }: RegistrationProps) {
  return (
    <p className="mb-5 break-words text-base">
      <strong>{registeredBy}</strong> registered {email} with PayeeProof on {registeredAt}
      {organizationName && (
        <>
          , for <strong>{organizationName}</strong>
        </>
      )}
      .
    </p>
  );
}

/** The way out for a person whose address another person registered. */
export function DisownRegistration({ email, registeredBy, answer }: RegistrationProps) {
  return (
    <Disclosure summary="This was not me" name="other-ways" open={answerTo(answer, "disown") !== undefined}>
      <PostForm intent="disown" answer={answer} button="Delete this registration" pending="Deleting..." isDanger>
        <p>
          If you are not {registeredBy}, another person used {email} without asking you. Deleting the registration ends
          their access and frees the address.
        </p>
      </PostForm>
    </Disclosure>
  );
}

interface PostFormProps {
  intent: string;
  answer?: FormAnswer;
  button: string;
  pending: string;
  isSecondary?: boolean;
  isDanger?: boolean;
  children?: ReactNode;
}

function PostForm({ intent, answer, button, pending, isSecondary, isDanger, children }: PostFormProps) {
  const mine = answerTo(answer, intent);
  const prefix = intent === "new-password" ? "new-" : "";
  const errors = Object.fromEntries(Object.entries(mine?.errors ?? {}).map(([name, said]) => [prefix + name, said]));
  return (
    <Form method="post" noValidate className="grid gap-4">
      <FormErrorSummary title={mine?.title} errors={errors} formErrors={mine?.formErrors} />
      {children}
      <div>
        <SubmitButton
          name="intent"
          value={intent}
          variant={isDanger ? "danger" : isSecondary ? "secondary" : "primary"}
          pendingText={pending}
        >
          {button}
        </SubmitButton>
      </div>
    </Form>
  );
}
