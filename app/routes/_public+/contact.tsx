import { parseWithZod } from "@conform-to/zod/v4";
import { data as answer, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { PageHandle } from "~/components/layout/page-handle";
import type { ContactReply } from "~/components/marketing/contact-form";
import { ContactSection } from "~/components/marketing/contact-section";
import { Differing } from "~/components/marketing/entry";
import { publicMeta } from "~/components/marketing/meta";
import { PageBanner } from "~/components/marketing/page-banner";
import { readForm } from "~/http/body.server";
import { errorHeaders, toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { type PageArgs, page } from "~/http/page.server";
import { PUBLIC_HEADERS } from "~/http/public-headers.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { setResponseState } from "~/http/response-state.server";
import { sitePaths } from "~/kernel/paths/site";
import { sayPlainly } from "~/kernel/plain-issues";
import { CONTACT_FAILURE, CONTACT_THANKS, TRAP_FIELD } from "~/modules/contact/contact";
import { submitContactMessage } from "~/modules/contact/contact.commands.server";
import { contactFormSchema } from "~/modules/contact/contact.schema.server";

export const handle: PageHandle = { scripts: false };
export const headers = () => PUBLIC_HEADERS;

export const meta: MetaFunction<typeof loader> = ({ matches, location }) =>
  publicMeta({
    matches,
    location,
    path: sitePaths.contact,
    title: "Contact",
    description: "Ask for a demonstration, a price or an integration. We read every message.",
  });

export const loader = /* @__PURE__ */ page(async (scope) => ({ details: scope.services.config.contact }));

export const action = /* @__PURE__ */ page(async (scope) => {
  const form = await readForm(scope.request);
  // A program filled in the hidden field: it gets the same answer as a person, and nothing is stored.
  if (form.get(TRAP_FIELD)) return thank(scope);
  const submission = parseWithZod(form, { schema: contactFormSchema, error: sayPlainly });
  if (submission.status !== "success") {
    return answer(replyTo(form, { errors: submission.error ?? {} }), { status: 400 });
  }
  try {
    await limitByAddress(scope, "contact");
    const { privacy: _, ...message } = submission.value;
    await submitContactMessage(scope.services, message);
  } catch (error) {
    const known = toAppError(error, scope.services.log);
    const failure = known.status === 500 ? CONTACT_FAILURE.description : known.message;
    setResponseState(scope, { flash: { tone: "error", title: CONTACT_FAILURE.title, description: failure } });
    return answer(replyTo(form, { failure }), { status: known.status, headers: errorHeaders(known) });
  }
  return thank(scope);
});

async function thank({ services }: PageArgs) {
  const cookie = await setFlash(services, { tone: "success", ...CONTACT_THANKS });
  // Without a fragment the browser would keep the one of the form and scroll past the message.
  return redirect(`${sitePaths.contact}#top`, { status: 303, headers: { "Set-Cookie": cookie } });
}

type Problem = { errors?: Record<string, string[] | null>; failure?: string };

function replyTo(form: FormData, { errors = {}, failure }: Problem): ContactReply {
  const values = Object.fromEntries([...form].map(([name, value]) => [name, typeof value === "string" ? value : ""]));
  return {
    values,
    failure,
    errors: Object.fromEntries(Object.entries(errors).map(([name, messages]) => [name, messages ?? []])),
  };
}

export default function Contact() {
  const { details } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
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
      <ContactSection details={details} reply={reply} title="Write to us" />
    </>
  );
}
