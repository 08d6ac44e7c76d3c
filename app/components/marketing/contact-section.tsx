import { ContactDetailList, type ContactDetails } from "~/components/marketing/contact-details";
import { ContactForm, type ContactReply } from "~/components/marketing/contact-form";
import { Section } from "~/components/marketing/section";

interface ContactSectionProps {
  details: ContactDetails;
  reply?: ContactReply;
  title?: string;
}

export function ContactSection({
  details,
  reply,
  title = "Ask us anything, or ask for a demonstration",
}: ContactSectionProps) {
  return (
    <Section id="contact" kicker="Contact" title={title}>
      <div className="grid gap-12 lg:grid-cols-[1fr_1.7fr] lg:gap-16">
        <div>
          <ContactDetailList {...details} />
          <div className="mt-8 max-w-[40ch] border-line border-t pt-6 text-base text-ink-soft first:mt-0 first:border-0 first:pt-0">
            <p>A person reads every message and answers by email or phone.</p>
            <p className="mt-3">
              Please never send passwords, card numbers or a payee&rsquo;s bank details through this form. We will not
              ask for them.
            </p>
          </div>
        </div>
        <div className="rounded-base bg-surface p-5 shadow-rest border border-line sm:p-8">
          <ContactForm reply={reply} />
        </div>
      </div>
    </Section>
  );
}
