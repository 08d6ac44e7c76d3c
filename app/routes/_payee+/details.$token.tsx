import { data, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { TextInput } from "~/components/forms/fields";
import {
  type FormAnswer,
  FormErrorSummary,
  type FormLimits,
  keepWhatWasTyped,
  PostForm,
  SubmitButton,
} from "~/components/forms/form";
import { MinimalLayout } from "~/components/layout/minimal-layout";
import { titled } from "~/components/layout/page-title";
import { BankUnavailable, ContinueToBank, LinkFailure } from "~/components/payees/payee-link/continue-to-bank";
import { LinkMessage, PayeeFooter, WayOut } from "~/components/payees/payee-link/link-message";
import { Card } from "~/components/ui/page-parts";
import { bankWasUnavailable, goToBank } from "~/http/bank-handover.server";
import { formAction, limitByAddress, type PageArgs, page, parseForm } from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import { linkPaths } from "~/kernel/paths/links";
import { withQuery } from "~/kernel/paths/site";
import { answerRequest, type RequestPage, showRequest } from "~/modules/payees/payee-requests/answer-request.server";
import { getRequestByToken, sentDetailsSchema } from "~/modules/payees/payee-requests/payee-request.server";
import { startBankConsent, startCheckWithPayee } from "~/modules/verifying/bank-checks/bank-consent.server";

const tokenOf = ({ params }: PageArgs) => params.token ?? "";

/** What the page's address says about the preceding post. */
const visitOf = (url: URL) => ({
  isFresh: url.searchParams.has("sent"),
  bankUnavailable: bankWasUnavailable(url),
});

export const loader = /* @__PURE__ */ page(async (args) => {
  await limitByAddress(args, "verify-link");
  const visit = visitOf(args.url);
  try {
    const { status, view } = await showRequest(args.services, tokenOf(args), visit);
    return data({ view, visit }, { status });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const view: RequestPage = {
      state: "closed",
      organizationName: null,
      title: "This link does not work",
      sentences: [error.message],
      leadsToBank: false,
    };
    return data({ view, visit }, { status: error.status });
  }
});

export const action = /* @__PURE__ */ page(async (args) => {
  await limitByAddress(args, "verify-link");
  const token = tokenOf(args);
  return formAction(args, async (form) => {
    if (form.get("intent") !== "continue") {
      const details = parseForm(form, sentDetailsSchema);
      try {
        await answerRequest(args.services, args.origin, { token, details });
      } catch (error) {
        // The button was pressed twice, or the link has ended meanwhile: the page says which.
        if (!(error instanceof AppError) || error.code === "CHANGED_MEANWHILE") throw error;
        if (error.code !== "LINK_USED") return backToPage(token);
      }
    }
    return leadOn(args, token);
  });
});

export const clientAction = keepWhatWasTyped;

const backToPage = (token: string, seen: Record<string, string> = {}) =>
  redirect(withQuery(linkPaths.detailsRequest(token), seen), 303);

/** Continues to the payee's bank. */
async function leadOn({ services, origin }: PageArgs, token: string): Promise<Response> {
  const { payeeId, verificationId } = await getRequestByToken(services, token);
  if (!payeeId || !verificationId) return backToPage(token, { sent: "yes" });
  const link = { token, vid: verificationId, pid: payeeId };
  return goToBank(services, {
    async start() {
      try {
        await startCheckWithPayee(services, origin, link);
        return await startBankConsent(services, origin, link);
      } catch (error) {
        // The organisation's subscription has ended, or a newer link replaced this one: the payee cannot do anything.
        if (error instanceof AppError) return null;
        throw error;
      }
    },
    back: (seen) => backToPage(token, { sent: "yes", ...seen }),
  });
}

export const meta = titled<typeof loader>(
  (shown) => (shown?.view.state === "closed" ? shown.view.title : "Send your bank details safely"),
  () => [{ name: "robots", content: "noindex" }],
);

export default function DetailsPage() {
  const { view, visit } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <MinimalLayout
      organizationName={view.organizationName}
      footer={<PayeeFooter organizationName={view.organizationName} />}
    >
      {view.state === "open" ? (
        <DetailsForm {...view} answer={answer} />
      ) : (
        <Closed view={view} bankUnavailable={visit.bankUnavailable} />
      )}
    </MinimalLayout>
  );
}

function Closed({ view, bankUnavailable }: { view: RequestPage & { state: "closed" }; bankUnavailable: boolean }) {
  const { title, sentences, leadsToBank } = view;
  return (
    <LinkMessage tone="info" icon="info" title={title} action={leadsToBank && <ContinueToBank field="intent" />}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {bankUnavailable && leadsToBank && <BankUnavailable kept="Your details are kept." />}
    </LinkMessage>
  );
}

export function ErrorBoundary() {
  return <LinkFailure title="This page could not be loaded" sentence="Please open the link again." />;
}

interface DetailsFormProps {
  organizationName: string;
  askedBy: string;
  note: string | null;
  /** Where the link was sent, so that it need not be asked for again. */
  contact: { channel: "email" | "sms"; shown: string };
  values: Record<"name" | "accountName" | "bsb" | "accountNumber" | "abn" | "email" | "phone", string>;
  constraints: FormLimits;
  answer?: FormAnswer;
}

/** The form for the payee's bank details. Opening it changes nothing; only the button sends. */
function DetailsForm({ organizationName, askedBy, note, contact, values, constraints, answer }: DetailsFormProps) {
  return (
    <>
      <FormErrorSummary errors={answer?.errors} formErrors={answer?.formErrors} />
      <h1 id="page-title" tabIndex={-1} className="display text-2xl sm:text-3xl">
        Send your bank details safely
      </h1>
      <p className="mt-3 text-ink-soft text-md">
        {askedBy} of {organizationName} asks where to pay you. Only {organizationName} sees what you send, and it checks
        the details before it pays.
      </p>
      {note && <p className="mt-3 text-md">It is about: {note}</p>}
      <Card className="mt-6">
        <PostForm
          answer={answer}
          values={values}
          limits={constraints}
          summary={false}
          reloadDocument
          className="grid gap-8"
        >
          <fieldset className="grid gap-5 sm:grid-cols-2">
            <legend className="mb-4 font-semibold text-md">Your bank account</legend>
            <TextInput
              name="accountName"
              label="Account name"
              hint="Exactly as your bank writes it"
              autoComplete="off"
              className="sm:col-span-2"
            />
            <TextInput name="bsb" label="BSB" hint="Six digits" digits inputMode="numeric" autoComplete="off" />
            <TextInput
              name="accountNumber"
              label="Account number"
              hint="Four to nine digits"
              digits
              inputMode="numeric"
              autoComplete="off"
            />
          </fieldset>
          <fieldset className="grid gap-5 sm:grid-cols-2">
            <legend className="mb-4 font-semibold text-md">You</legend>
            <TextInput name="name" label="Your name or business name" autoComplete="organization" />
            <TextInput name="abn" label="ABN" hint="11 digits" digits inputMode="numeric" autoComplete="off" />
            {contact.channel === "email" ? (
              <TextInput name="phone" type="tel" label="Phone" autoComplete="tel" />
            ) : (
              <TextInput name="email" type="email" label="Email" autoComplete="email" />
            )}
            <p className="max-w-[56ch] text-base text-ink-soft sm:col-span-2">
              {organizationName} reaches you at {contact.shown}, where this link was sent.
            </p>
          </fieldset>
          <div>
            <p className="mb-4 max-w-[56ch] text-base text-ink-soft">
              Next, your own bank asks you to share the name and number of this account. You sign in on your bank’s
              page: we never see your password, and no payments or transactions are shared.
            </p>
            <SubmitButton size="lg" icon="check" pendingText="Sending..." className="w-full sm:w-auto">
              Send my bank details
            </SubmitButton>
          </div>
        </PostForm>
      </Card>
      <WayOut quiet />
    </>
  );
}
