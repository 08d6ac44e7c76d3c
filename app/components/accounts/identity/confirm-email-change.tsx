import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { SubmitButton } from "~/components/forms/submit-button";
import { answerTo, type FormAnswer } from "~/kernel/form-answer";
import { AccountPasswordField } from "./account-password-field";

interface ConfirmEmailChangeProps {
  mailbox: "old" | "new";
  oldEmail: string;
  newEmail: string;
  askedBy: string;
  askedAt: string;
  /** This mailbox has agreed, the other has not. */
  isWaiting: boolean;
  /** Signed in to the account whose address is to change. */
  isSignedIn: boolean;
  answer?: FormAnswer;
}

/** Agrees to a change of address, or stops it. Stopping asks for nothing: it protects the account. */
export function ConfirmEmailChange(props: ConfirmEmailChangeProps) {
  const { mailbox, oldEmail, newEmail, askedBy, askedAt, isWaiting, answer } = props;
  const stopped = answerTo(answer, "stop");
  return (
    <>
      <p className="mb-5 break-words text-base">
        <strong>{askedBy}</strong>, who signs in as {oldEmail}, asked on {askedAt} to change the address of their
        PayeeProof account to <strong>{newEmail}</strong>.
      </p>
      {isWaiting ? (
        <p className="mb-5 text-base">
          {mailbox === "new"
            ? `You have agreed. Now ${oldEmail} has to agree: we sent a link there.`
            : `You have agreed. Now ${newEmail} has to agree.`}
        </p>
      ) : (
        <AgreeForm {...props} />
      )}
      <Form method="post" className="mt-4">
        <FormErrorSummary title={stopped?.title} formErrors={stopped?.formErrors} />
        <SubmitButton name="intent" value="stop" variant="secondary" pendingText="Stopping...">
          This was not me: stop the change
        </SubmitButton>
      </Form>
    </>
  );
}

function AgreeForm({ oldEmail, isSignedIn, answer }: ConfirmEmailChangeProps) {
  const mine = answerTo(answer, "confirm");
  return (
    <Form method="post" noValidate className="grid gap-4">
      <FormErrorSummary title={mine?.title} errors={mine?.errors} formErrors={mine?.formErrors} />
      {!isSignedIn && (
        <>
          <p>To change the address, enter the password of this account.</p>
          <AccountPasswordField email={oldEmail} error={mine?.errors.password} />
        </>
      )}
      <div>
        <SubmitButton name="intent" value="confirm" pendingText="Confirming...">
          Yes, change it
        </SubmitButton>
      </div>
    </Form>
  );
}
