import { Link } from "@remix-run/react";
import { Checkbox } from "~/components/forms/checkbox";
import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { Select } from "~/components/forms/select";
import { SubmitButton } from "~/components/forms/submit-button";
import { TextInput } from "~/components/forms/text-input";
import { Textarea } from "~/components/forms/textarea";
import { useToast } from "~/components/layout/use-toast";
import { Callout } from "~/components/ui/callout";
import type { FormAnswer } from "~/kernel/form-answer";
import { sitePaths } from "~/kernel/paths/site";
import { CONTACT_FAILURE, CONTACT_INTERESTS, CONTACT_LENGTHS, TRAP_FIELD } from "~/modules/messages/contact";

const interests = Object.entries(CONTACT_INTERESTS).map(([value, label]) => ({ value, label }));

const inOrder = [...Object.keys(CONTACT_LENGTHS).slice(0, -1), "interest", "message", "privacy"];

/** The contact form. It posts to /contact wherever it stands; the server's own sentences come back beside the fields. */
export function ContactForm({ answer }: { answer?: FormAnswer }) {
  const failure = answer?.formErrors[0];
  useToast(answer, failure ? { tone: "error", title: CONTACT_FAILURE.title, description: failure } : null);
  const errors = Object.fromEntries(inOrder.map((name) => [name, answer?.errors[name]]));
  return (
    <Form
      method="post"
      action={`${sitePaths.contact}#contact-form`}
      noValidate
      id="contact-form"
      className="scroll-mt-20"
    >
      <FormErrorSummary errors={errors} />
      {failure && (
        <Callout tone="danger" role="alert" title={CONTACT_FAILURE.title} className="scripted:hidden mb-6">
          {failure}
        </Callout>
      )}
      <ContactFields answer={answer} />
      <Trap />
      <SubmitButton size="lg" className="mt-6" pendingText="Sending...">
        Send message
      </SubmitButton>
    </Form>
  );
}

/** A field that people cannot see, reach or hear. Only programs fill it in. */
function Trap() {
  return (
    <div aria-hidden="true" className="sr-only">
      <label>
        Leave this empty
        <input type="text" name={TRAP_FIELD} tabIndex={-1} autoComplete="off" />
      </label>
    </div>
  );
}

function ContactFields({ answer }: { answer?: FormAnswer }) {
  const field = (name: keyof typeof CONTACT_LENGTHS) => ({
    name,
    required: true,
    minLength: CONTACT_LENGTHS[name].min,
    maxLength: CONTACT_LENGTHS[name].max,
    defaultValue: answer?.values[name],
    error: answer?.errors[name],
  });
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextInput {...field("firstName")} label="First name" autoComplete="given-name" />
      <TextInput {...field("lastName")} label="Last name" autoComplete="family-name" />
      <TextInput {...field("email")} label="Email" type="email" autoComplete="email" spellCheck={false} />
      <TextInput {...field("company")} label="Company" autoComplete="organization" />
      <TextInput {...field("phone")} label="Phone" type="tel" autoComplete="tel" />
      <Select
        name="interest"
        label="What is it about?"
        required
        options={interests}
        placeholder="Choose one"
        defaultValue={answer?.values.interest}
        error={answer?.errors.interest}
      />
      <Textarea {...field("message")} label="Message" rows={5} className="sm:col-span-2 [&_textarea]:min-h-32" />
      <Checkbox
        name="privacy"
        required
        className="sm:col-span-2"
        defaultChecked={answer?.values.privacy === "on"}
        error={answer?.errors.privacy}
        label={
          <>
            I agree to the{" "}
            <Link to={sitePaths.privacy} className="text-accent-text underline underline-offset-2">
              privacy policy
            </Link>
          </>
        }
      />
    </div>
  );
}
