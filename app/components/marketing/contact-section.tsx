import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Checkbox, Select, Textarea, TextInput } from "~/components/forms/fields";
import { type FormAnswer, PostForm, SubmitButton } from "~/components/forms/form";
import { useToast } from "~/components/layout/toast-store";
import { Section } from "~/components/marketing/section";
import { Button, Callout, Icon, type IconName } from "~/components/ui/elements";
import { sitePaths } from "~/kernel/paths/site";
import { CONTACT_FAILURE, CONTACT_INTERESTS, CONTACT_LENGTHS, TRAP_FIELD } from "~/modules/messages/contact";

const interests = Object.entries(CONTACT_INTERESTS).map(([value, label]) => ({ value, label }));

const IN_ORDER = [...Object.keys(CONTACT_LENGTHS).slice(0, -1), "interest", "message", "privacy"];

/** The contact form. It posts to /contact from any page; the server's sentences appear beside the fields. */
function ContactForm({ answer }: { answer?: FormAnswer }) {
  const failure = answer?.formErrors[0];
  useToast(answer, failure ? { tone: "error", title: CONTACT_FAILURE.title, description: failure } : null);
  return (
    <PostForm
      answer={answer && { ...answer, title: "There is a problem", formErrors: [] }}
      order={IN_ORDER}
      action={`${sitePaths.contact}#contact-form`}
      id="contact-form"
      className="scroll-mt-20"
    >
      {failure && (
        <Callout tone="danger" role="alert" title={CONTACT_FAILURE.title} className="scripted:hidden mb-6">
          {failure}
        </Callout>
      )}
      <ContactFields />
      <Trap />
      <SubmitButton size="lg" className="mt-6" pendingText="Sending...">
        Send message
      </SubmitButton>
    </PostForm>
  );
}

/** A field that people cannot see, reach or hear. Only bots fill it in. */
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

function ContactFields() {
  const field = (name: keyof typeof CONTACT_LENGTHS) => ({
    name,
    required: true,
    minLength: CONTACT_LENGTHS[name].min,
    maxLength: CONTACT_LENGTHS[name].max,
  });
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextInput {...field("firstName")} label="First name" autoComplete="given-name" />
      <TextInput {...field("lastName")} label="Last name" autoComplete="family-name" />
      <TextInput {...field("email")} label="Email" type="email" autoComplete="email" spellCheck={false} />
      <TextInput {...field("company")} label="Company" autoComplete="organization" />
      <TextInput {...field("phone")} label="Phone" type="tel" autoComplete="tel" />
      <Select name="interest" label="What is it about?" required options={interests} placeholder="Choose one" />
      <Textarea {...field("message")} label="Message" rows={5} className="sm:col-span-2 [&_textarea]:min-h-32" />
      <Checkbox
        name="privacy"
        required
        className="sm:col-span-2"
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

export function ContactSection({
  details,
  answer,
  title = "Ask a question or request a demonstration",
}: {
  details: ContactDetails;
  answer?: FormAnswer;
  title?: string;
}) {
  return (
    <Section id="contact" kicker="Contact" title={title}>
      <div className="grid gap-12 lg:grid-cols-[1fr_1.7fr] lg:gap-16">
        <div>
          <div className="mb-8 rounded-base border border-line bg-sunken p-5">
            <p className="font-semibold text-md">Ready to try it?</p>
            <p className="mt-1 text-base text-ink-soft">
              You do not need to talk to us first. The trial is 14 days, no card needed.
            </p>
            <Button to={sitePaths.register} className="mt-4">
              Create an account
            </Button>
          </div>
          <ContactDetailList {...details} />
          <div className="mt-8 max-w-[40ch] border-line border-t pt-6 text-base text-ink-soft first:mt-0 first:border-0 first:pt-0">
            <p>We read every message and answer by email or phone.</p>
            <p className="mt-3">
              Please never send passwords, card numbers or a payee&rsquo;s bank details through this form. We will not
              ask for them.
            </p>
          </div>
        </div>
        <div className="rounded-base bg-surface p-5 shadow-rest border border-line sm:p-8">
          <ContactForm answer={answer} />
        </div>
      </div>
    </Section>
  );
}

interface ContactDetails {
  email?: string;
  phone?: string;
  address?: string;
}

/** Our contact details, as far as they are configured. */
function ContactDetailList({ email, phone, address }: ContactDetails) {
  if (!email && !phone && !address) return null;
  return (
    <dl className="grid gap-4">
      {phone && (
        <Detail icon="phone" term="Phone">
          <a href={`tel:${phone.replace(/[^+\d]/g, "")}`} className="figures rounded-base hover:underline">
            {phone}
          </a>
        </Detail>
      )}
      {email && (
        <Detail icon="mail" term="Email">
          <a href={`mailto:${email}`} className="rounded-base hover:underline">
            {email}
          </a>
        </Detail>
      )}
      {address && (
        <Detail icon="building" term="Office">
          <address className="max-w-[28ch] not-italic">{address}</address>
        </Detail>
      )}
    </dl>
  );
}

function Detail({ icon, term, children }: { icon: IconName; term: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[2rem_minmax(0,1fr)] text-base">
      <dt className="contents">
        <Icon name={icon} className="row-span-2 mt-0.5 text-accent-text" />
        <span className="text-ink-soft text-sm">{term}</span>
      </dt>
      <dd className="col-start-2 text-md">{children}</dd>
    </div>
  );
}
