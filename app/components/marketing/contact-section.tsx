import { ContactDetailList, type ContactDetails } from "~/components/marketing/contact-details";
import { ContactForm } from "~/components/marketing/contact-form";
import { Section } from "~/components/marketing/section";
import { Button } from "~/components/ui/button";
import type { FormAnswer } from "~/kernel/form-answer";
import { sitePaths } from "~/kernel/paths/site";

interface ContactSectionProps {
  details: ContactDetails;
  answer?: FormAnswer;
  title?: string;
}

export function ContactSection({
  details,
  answer,
  title = "Ask a question or request a demonstration",
}: ContactSectionProps) {
  return (
    <Section id="contact" kicker="Contact" title={title}>
      <div className="grid gap-12 lg:grid-cols-[1fr_1.7fr] lg:gap-16">
        <div>
          <div className="mb-8 rounded-base border border-line bg-sunken p-5">
            <p className="font-semibold text-md">Ready to try it?</p>
            <p className="mt-1 text-base text-ink-soft">
              You do not need to talk to us first. The trial is 14 days, no card needed.
            </p>
            <Button to={`${sitePaths.signIn}?tab=register`} className="mt-4">
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
