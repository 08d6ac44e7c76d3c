import { useActionData, useLoaderData } from "@remix-run/react";
import type { FormAnswer } from "~/components/forms/form";
import { ContactSection } from "~/components/marketing/contact-section";
import { publicPage } from "~/components/marketing/meta";
import { Differing, PageBanner } from "~/components/marketing/page-banner";
import {
  type Accepted,
  formAction,
  limitByAddress,
  type PageArgs,
  page,
  parseForm,
  reword,
  setResponseState,
} from "~/http/page.server";
import type { AppError } from "~/kernel/app-error";
import { sitePaths } from "~/kernel/paths/site";
import { CONTACT_FAILURE, CONTACT_THANKS, TRAP_FIELD } from "~/modules/messages/contact";
import { contactFormSchema, submitContactMessage } from "~/modules/messages/contact.server";

export const { handle, headers, meta } = publicPage({
  path: sitePaths.contact,
  title: "Contact",
  description: "Ask for a demonstration, a price or an integration. We read every message.",
});

export const loader = /* @__PURE__ */ page(async (scope) => ({ details: scope.services.config.contact }));

export const action = /* @__PURE__ */ page(async (scope) =>
  formAction(
    scope,
    async (form) => {
      // A bot filled in the hidden field: it gets the same answer as a person, and nothing is stored.
      if (form.get(TRAP_FIELD)) return THANKS;
      const { privacy: _, ...message } = parseForm(form, contactFormSchema);
      await limitByAddress(scope, "contact");
      await submitContactMessage(scope.services, message);
      return THANKS;
    },
    { title: CONTACT_FAILURE.title, describe: (error) => describeFailure(scope, error) },
  ),
);

/** Without a fragment, the browser would keep the form's and scroll past the message. */
const THANKS: Accepted = { to: `${sitePaths.contact}#top`, flash: { tone: "success", ...CONTACT_THANKS } };

/** A message that could not be sent: with scripts, a toast says so. */
function describeFailure(scope: PageArgs, error: AppError): AppError {
  if (error.fieldErrors) return error;
  const described = error.status === 500 ? reword(error, CONTACT_FAILURE.description) : error;
  const { title } = CONTACT_FAILURE;
  setResponseState(scope, { flash: { tone: "error", title, description: described.message } });
  return described;
}

export default function Contact() {
  const { details } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <>
      <PageBanner
        title="Contact us"
        intro="Ask a question, request a demonstration, or talk to us about pricing and integration."
        entry={{
          given: {
            label: "Phone number in the email",
            value: (
              <>
                (02) 5550 01<Differing>87</Differing>
              </>
            ),
          },
          held: {
            label: "Phone number in your records",
            value: (
              <>
                (02) 5550 01<Differing>78</Differing>
              </>
            ),
          },
          verdict: { tone: "review", word: "Different" },
        }}
      />
      <ContactSection details={details} answer={answer} title="Write to us" />
    </>
  );
}
