import { data, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Textarea } from "~/components/forms/fields";
import {
  Form,
  type FormAnswer,
  FormErrorSummary,
  keepWhatWasTyped,
  SubmitButton,
  sentencesOf,
} from "~/components/forms/form";
import { MinimalLayout } from "~/components/layout/minimal-layout";
import { titled } from "~/components/layout/page-title";
import { BankUnavailable, ContinueToBank, LinkFailure } from "~/components/payees/payee-link/continue-to-bank";
import { LinkMessage, PayeeFooter, WayOut } from "~/components/payees/payee-link/link-message";
import { Callout } from "~/components/ui/elements";
import { AccountNumber, Bsb, Card, DefinitionList } from "~/components/ui/page-parts";
import { bankWasUnavailable, goToBank } from "~/http/bank-handover.server";
import { check } from "~/http/body.server";
import { formAction, limitByAddress, type PageArgs, page, parseForm } from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import { linkPaths } from "~/kernel/paths/links";
import { withQuery } from "~/kernel/paths/site";
import {
  MAX_DISPUTE_NOTE,
  type PayeeLinkView,
  payeeLinkWords,
  type Visit,
} from "~/modules/payees/payee-links/payee-link";
import {
  confirmPayeeDetails,
  disputePayeeDetails,
  type LinkInput,
  linkFormSchema,
  linkIdsSchema,
  showPayeeLink,
} from "~/modules/payees/payee-links/payee-link.server";
import { startBankConsent } from "~/modules/verifying/bank-checks/bank-consent.server";

/** The title of the browser window. */
const linkTitle = (view: PayeeLinkView, visit: Visit): string =>
  view.state === "open" ? "Confirm your bank details" : payeeLinkWords(view, visit).title;

const LOOKS = {
  confirmed: { tone: "verified", icon: "checkCircle" },
  disputed: { tone: "info", icon: "flag" },
  expired: { tone: "pending", icon: "clock" },
  failed: { tone: "review", icon: "xCircle" },
} as const;

/** Shows any state of a payee's link. */
function PayeeLink({ view, visit, answer }: { view: PayeeLinkView; visit: Visit; answer?: FormAnswer }) {
  if (view.state === "open") return <OpenLink {...view} {...view.details} answer={answer} />;
  const { title, sentences } = payeeLinkWords(view, visit);
  const { tone, icon } = LOOKS[view.state];
  const leadsToBank = view.state === "confirmed" && view.leadsToBank;
  return (
    <LinkMessage
      tone={view.state === "confirmed" && !visit.isFresh ? "info" : tone}
      icon={icon}
      title={title}
      action={leadsToBank && <ContinueToBank field="response" />}
    >
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {answer && (
        <Callout tone="danger" role="alert" title={answer.title}>
          {sentencesOf(answer).join(" ")}
        </Callout>
      )}
      {visit.bankUnavailable && <BankUnavailable kept="Your answer is kept." />}
    </LinkMessage>
  );
}

interface OpenLinkProps {
  organizationName: string;
  payeeName: string;
  accountName: string;
  bsb: string;
  accountNumber: string;
  /** "Yes" continues to the payee's bank. */
  leadsToBank: boolean;
  /** What was typed and what is wrong with it, after a refused post. */
  answer?: FormAnswer;
}

/** The details and the two answers. Both are plain posts; viewing the page answers nothing. */
function OpenLink(props: OpenLinkProps) {
  const { organizationName, payeeName, leadsToBank, answer } = props;
  const problems = answer && sentencesOf(answer);
  return (
    <>
      <FormErrorSummary errors={{ note: problems }} />
      <h1 id="page-title" tabIndex={-1} className="display text-2xl sm:text-3xl">
        Are these your bank details?
      </h1>
      <p className="mt-3 text-ink-soft text-md">
        {organizationName} wants to pay {payeeName} and asks you to check that it has the right account.
      </p>
      <Card className="mt-6">
        <DefinitionList
          items={[
            { term: "Account name", value: <span className="font-medium text-md">{props.accountName}</span> },
            { term: "BSB", value: <Bsb value={props.bsb} className="font-medium text-md" /> },
            {
              term: "Account number",
              value: <AccountNumber value={props.accountNumber} className="font-medium text-md" />,
            },
          ]}
        />
        <Form method="post" reloadDocument className="mt-6 border-line border-t pt-5">
          <SubmitButton name="response" value="confirm" size="lg" icon="check" className="w-full sm:w-auto">
            Yes, these are my details
          </SubmitButton>
          {leadsToBank && (
            <p className="mt-3 max-w-[56ch] text-base text-ink-soft">
              Next, your own bank asks you to share the name and number of this account. You sign in on your bank’s
              page: we never see your password, and no payments or transactions are shared.
            </p>
          )}
        </Form>
      </Card>
      <DisputeForm organizationName={organizationName} answer={answer} problems={problems} />
      <WayOut quiet />
    </>
  );
}

type DisputeFormProps = Pick<OpenLinkProps, "organizationName" | "answer"> & { problems: string[] | undefined };

function DisputeForm({ organizationName, answer, problems }: DisputeFormProps) {
  return (
    <section aria-labelledby="dispute-title" className="mt-8">
      <h2 id="dispute-title" className="font-semibold text-md">
        Something is not right?
      </h2>
      <p className="mt-1 max-w-[56ch] text-base text-ink-soft">
        Say so, and {organizationName} will hold payments and get in touch with you. Do not send bank details here.
      </p>
      <Form method="post" reloadDocument className="mt-4 grid gap-4">
        <Textarea
          name="note"
          label="What is wrong"
          hint="For example: the account was closed, or you never sent these details."
          rows={3}
          maxLength={MAX_DISPUTE_NOTE}
          defaultValue={answer?.values.note}
          error={problems}
        />
        <div>
          <SubmitButton name="response" value="dispute" variant="secondary" icon="flag">
            These are not my details
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}

/** @throws AppError 400 "Missing required parameters" */
function readLink({ params, url }: PageArgs): LinkInput {
  return { token: params.token ?? "", ...check(linkIdsSchema, Object.fromEntries(url.searchParams)) };
}

/** What the page's address says about the preceding post. */
const visitOf = (url: URL) => ({
  isFresh: url.searchParams.has("answered"),
  bankUnavailable: bankWasUnavailable(url),
});

/** The link's own page, which shows the state after the post, whatever its result. */
function backToLink({ token, vid, pid }: LinkInput, seen: Record<string, string> = {}): Response {
  return redirect(withQuery(linkPaths.payeeLink(token), { vid, pid, ...seen }), 303);
}

export const loader = /* @__PURE__ */ page(async (args) => {
  await limitByAddress(args, "verify-link");
  const visit = visitOf(args.url);
  try {
    const { status, view } = await showPayeeLink(args.services, readLink(args));
    return data({ view, visit }, { status: visit.isFresh ? 200 : status });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const view: PayeeLinkView = { state: "failed", organizationName: null, message: error.message };
    return data({ view, visit }, { status: error.status });
  }
});

export const action = /* @__PURE__ */ page(async (args) => {
  await limitByAddress(args, "verify-link");
  const link = readLink(args);
  return formAction(args, async (form) => {
    const { response, note } = parseForm(form, linkFormSchema);
    try {
      if (response === "confirm") await confirmPayeeDetails(args.services, args.origin, link);
      if (response === "dispute") await disputePayeeDetails(args.services, args.origin, { ...link, note });
    } catch (error) {
      // The button was pressed twice, or the link has ended meanwhile: the page says which.
      if (!(error instanceof AppError)) throw error;
      if (response === "dispute" || error.code !== "ALREADY_VERIFIED") return backToLink(link);
    }
    return response === "dispute" ? backToLink(link, { answered: "no" }) : leadOn(args, link);
  });
});

export const clientAction = keepWhatWasTyped;

/** Continues to the bank if a check is waiting. */
const leadOn = ({ services, origin }: PageArgs, link: LinkInput): Promise<Response> =>
  goToBank(services, {
    start: () => startBankConsent(services, origin, link),
    back: (seen) => backToLink(link, { answered: "yes", ...seen }),
  });

export const meta = titled<typeof loader>(
  (shown) => (shown ? linkTitle(shown.view, shown.visit) : "Verification Failed"),
  () => [{ name: "robots", content: "noindex" }],
);

export default function VerifyPage() {
  const { view, visit } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <MinimalLayout
      organizationName={view.organizationName}
      footer={<PayeeFooter organizationName={view.organizationName} />}
    >
      <PayeeLink view={view} visit={visit} answer={answer} />
    </MinimalLayout>
  );
}

export function ErrorBoundary() {
  return (
    <LinkFailure title="Verification Failed" sentence="This page could not be loaded. Please open the link again." />
  );
}
