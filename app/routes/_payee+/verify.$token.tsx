import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { MinimalLayout } from "~/components/layout/minimal-layout";
import { pageTitle } from "~/components/layout/page-title";
import { LinkFailure } from "~/components/payees/payee-link/link-failure";
import { linkTitle, PayeeLink } from "~/components/payees/payee-link/link-view";
import { PayeeFooter } from "~/components/payees/payee-link/payee-footer";
import { bankWasUnavailable, goToBank } from "~/http/bank-handover.server";
import { check } from "~/http/body.server";
import { formAction, parseForm } from "~/http/form-action.server";
import { type PageArgs, page } from "~/http/page.server";
import { limitByAddress } from "~/http/rate-limit.server";
import { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { linkPaths } from "~/kernel/paths/links";
import { withQuery } from "~/kernel/paths/with-query";
import type { PayeeLinkView } from "~/modules/payees/payee-links/payee-link";
import { linkFormSchema, linkIdsSchema } from "~/modules/payees/payee-links/payee-link.schema.server";
import {
  confirmPayeeDetails,
  disputePayeeDetails,
  type LinkInput,
  showPayeeLink,
} from "~/modules/payees/payee-links/payee-link.server";
import { startBankConsent } from "~/modules/verifying/bank-checks/bank-consent.server";

/** @throws AppError 400 "Missing required parameters" */
function readLink({ params, url }: PageArgs): LinkInput {
  return { token: params.token ?? "", ...check(linkIdsSchema, Object.fromEntries(url.searchParams)) };
}

/** What the page remembers of the post before it, in its own address. */
const visitOf = (url: URL) => ({
  isFresh: url.searchParams.has("answered"),
  bankUnavailable: bankWasUnavailable(url),
});

/** The link's own page: it shows what is known after the post, whatever the post found. */
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
      // A second press of the button, or a link that has ended meanwhile: the page says which.
      if (!(error instanceof AppError)) throw error;
      if (response === "dispute" || error.code !== "ALREADY_VERIFIED") return backToLink(link);
    }
    return response === "dispute" ? backToLink(link, { answered: "no" }) : leadOn(args, link);
  });
});

/** A lost connection is reported in the form; what was typed stays. */
export const clientAction = keepWhatWasTyped;

/** On to the bank where a check waits. */
const leadOn = ({ services, origin }: PageArgs, link: LinkInput): Promise<Response> =>
  goToBank(services, {
    start: () => startBankConsent(services, origin, link),
    back: (seen) => backToLink(link, { answered: "yes", ...seen }),
  });

export const meta: MetaFunction<typeof loader> = ({ data: shown, ...route }) => {
  const title = shown ? linkTitle(shown.view, shown.visit) : "Verification Failed";
  return [pageTitle(route, title), { name: "robots", content: "noindex" }];
};

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
