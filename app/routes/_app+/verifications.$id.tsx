import {
  type ClientActionFunctionArgs,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
} from "@remix-run/react";
import { useEffect, useRef } from "react";
import { type FormAnswer, keepFormWhenOffline, loadAgainWhenRefused } from "~/components/forms/form";
import { KEEP_MESSAGES } from "~/components/layout/toast-store";
import { InboxFrame } from "~/components/records/inbox/inbox-frame";
import { named } from "~/components/ui/page-parts";
import { LOST_SENTENCE, LOST_TITLE, ReviewPage } from "~/components/verifying/review-page";
import {
  type Flash,
  formAction,
  idParam,
  page,
  pageMember,
  pageWriter,
  parseForm,
  withStepUp,
} from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { notFound } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { describeOutcome } from "~/modules/payees/verifications/outcomes";
import { findVerification, getVerification } from "~/modules/payees/verifications/verification.server";
import { fromInbox, isFromInbox, readInboxView } from "~/modules/records/inbox/inbox";
import { placeInInbox, readInboxBeside } from "~/modules/records/inbox/inbox.server";
import { askConfirmationOfPayee } from "~/modules/verifying/bank-checks/instant-check.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { recordCall } from "~/modules/verifying/call-backs/call-back.server";
import { readQueueView } from "~/modules/verifying/review/pending.server";
import { restoreFormerDetails } from "~/modules/verifying/review/restore-former.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import {
  atReasonField,
  type ReviewForm,
  readPlace,
  readReviewPage,
  reviewFormSchema,
} from "~/modules/verifying/review/review-page.server";
import { reviewHref } from "~/modules/verifying/review/verification-list";
import type { Actor, Services } from "~/services-and-actor";

/** How long after a decision the page returns to the list (specification, section 9). */
const RETURN_DELAY_MS = 1500;

/** Navigates a while after something is done, when `href` is known, unless the person has pressed a link meanwhile. */
function useReturn(href: string | undefined, delayMs: number): void {
  const navigate = useNavigate();
  const isStill = useNavigation().state === "idle";
  useEffect(() => {
    if (!href || !isStill) return;
    const timer = setTimeout(() => navigate(href, { state: KEEP_MESSAGES }), delayMs);
    return () => clearTimeout(timer);
  }, [isStill, href, delayMs, navigate]);
}

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.view.payee.name} · ` : ""}Verification`,
  "Error Loading Verification",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, params, url } = scope;
  const reading = readAhead(scope, (reader) => findVerification(services, reader, params.id ?? ""));
  const actor = withStepUp(scope, await pageMember(scope), "page");
  const entityId = idParam(params);
  const verification = await reading(actor);
  if (!verification) throw notFound();
  const [shown, inbox] = await Promise.all([
    readReviewPage(services, actor, verification, url.searchParams),
    readInboxBeside(services, actor, url.searchParams),
    recordReveal(services, actor, { entityType: "verification", entityId }),
  ]);
  if (inbox === null) return { ...shown, inbox };
  const path = appPaths.verification(entityId);
  const place = { ...placeInInbox(inbox, path, url.searchParams), isOfInbox: true };
  return { ...shown, inbox, selfHref: fromInbox(path, inbox.view), place };
});

export const shouldRevalidate = loadAgainWhenRefused;

/** `onwardHref`: the page that follows. */
type Decided = { isDecided: true; onwardHref: string };

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageWriter(scope), "page");
  const { services } = scope;
  const id = idParam(scope.params);
  const { providerName } = services.bankData;
  return formAction(
    scope,
    async (form) => {
      const posted = parseForm(form, reviewFormSchema);
      const { payee } = await getVerification(services, actor, id);
      const params = scope.url.searchParams;
      const isDecision = posted.intent === "approve" || posted.intent === "reject";
      const onwardHref = isDecision ? await findOnward(services, actor, id, params) : null;
      const told = await carryOut(services, actor, { id, name: payee.name }, posted);
      if (onwardHref === null) {
        const path = appPaths.verification(id);
        const self = isFromInbox(params)
          ? fromInbox(path, readInboxView(params))
          : reviewHref(id, readQueueView(params));
        return { to: self, flash: told };
      }
      const flash = { ...told, action: { label: "See the verification", href: appPaths.verification(id) } };
      // With scripts the page stays briefly to show the decision; without, the browser continues at once.
      return { to: onwardHref, flash, stay: { isDecided: true, onwardHref } satisfies Decided };
    },
    { title: (form) => failureTitleOf(form.get("intent"), providerName), describe: atReasonField },
  );
});

/**
 * The page after a decision: the next item for people who chose that, otherwise the list. Read before the decision,
 * after which the item has no place in the Inbox.
 */
async function findOnward(services: Services, actor: Actor, id: string, params: URLSearchParams): Promise<string> {
  const inbox = await readInboxBeside(services, actor, params);
  const place = inbox
    ? placeInInbox(inbox, appPaths.verification(id), params)
    : await readPlace(services, actor, id, readQueueView(params));
  const { reviewNext } = await findReviewChoices(services, actor.userId);
  return (reviewNext && place.nextHref) || place.listHref;
}

/** After a lost connection it is unknown whether the server has decided, and the page says so. */
export const clientAction = (args: ClientActionFunctionArgs) =>
  keepFormWhenOffline(args, { title: LOST_TITLE, sentence: LOST_SENTENCE });

/** Runs a button's action. @returns the message for the person (specification, section 8) */
async function carryOut(
  services: Services,
  actor: Actor,
  { id: verificationId, name }: { id: string; name: string },
  posted: ReviewForm,
): Promise<Flash> {
  const idempotencyKey = "submissionId" in posted ? posted.submissionId : undefined;
  switch (posted.intent) {
    case "approve": {
      const { basis, addToGlobalWhitelist, reason } = posted;
      const review = { approved: true, addToGlobalWhitelist, reason } as const;
      await reviewVerification(services, actor, { verificationId, review, idempotencyKey, basis });
      return { tone: "success", title: "Verification Approved", description: `${name} is on the whitelist.` };
    }
    case "reject": {
      const { reason, restoreFormer } = posted;
      const asked = { verificationId, idempotencyKey };
      // Only restoring depends on the state that the reviewer saw.
      const { payee } = restoreFormer
        ? await restoreFormerDetails(services, actor, { ...asked, reason, basis: posted.basis })
        : await reviewVerification(services, actor, { ...asked, review: { approved: false, reason, restoreFormer } });
      const restored = payee.whitelisted
        ? `${payee.name} is trusted again with its former bank details.`
        : `The former bank details of ${payee.name} are back and need a decision. The payee is not trusted.`;
      const description = restoreFormer ? restored : `${name} is not trusted.`;
      return { tone: "success", title: "Verification Rejected", description };
    }
    case "record-call": {
      const { submissionId: _, intent: __, ...call } = posted;
      await recordCall(services, actor, { verificationId, call, idempotencyKey });
      return { tone: "success", title: "Call recorded", description: `It is in the history of ${name}'s details.` };
    }
    case "verify-basiq": {
      await startBankDataCheck(services, actor, { verificationId });
      return {
        tone: "info",
        title: `${services.bankData.providerName} Verification Initiated`,
        description: `One link asks ${name} to confirm the details and leads to their own bank.`,
      };
    }
    case "check-now": {
      const checked = await askConfirmationOfPayee(services, actor, { verificationId, idempotencyKey });
      if (checked.state === "running") {
        const description = "Load this page again in a few seconds to see the answer.";
        return { tone: "info", title: "The bank is being asked", description };
      }
      const { title, fact } = describeOutcome(checked.outcome, checked.reasonCode);
      return { tone: "info", title, description: fact };
    }
    case "send-link":
      await sendPayeeLink(services, actor, { verificationId, channel: posted.channel });
      return { tone: "success", title: "Verification Link Sent", description: `A new link is on its way to ${name}.` };
  }
}

/** The title of an error, by the button that was pressed. */
const failureTitleOf = (intent: unknown, providerName: string): string =>
  new Map<unknown, string>([
    ["approve", "Error Approving Verification"],
    ["reject", "Error Rejecting Verification"],
    ["record-call", "The call was not recorded"],
    ["verify-basiq", `Error Starting ${providerName} Verification`],
    ["check-now", "The bank was not asked"],
    ["send-link", "Error Sending Verification Link"],
  ]).get(intent) ?? "Error";

export default function Verification() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useAnswer<Decided | FormAnswer>();
  const isDecided = answer !== undefined && "isDecided" in answer;
  const onwardHref = isDecided ? answer.onwardHref : undefined;
  useReturn(onwardHref, onwardHref === loaded.place.listHref ? RETURN_DELAY_MS : 0);
  return (
    <InboxFrame inbox={loaded.inbox} onwardHref={onwardHref}>
      <ReviewPage {...loaded} answer={isDecided ? undefined : answer} isJustDecided={isDecided} />
    </InboxFrame>
  );
}

/**
 * The answer to the page's last post, until the person leaves: this page reloads its data by itself, which makes the
 * router discard the answer and what was typed.
 */
function useAnswer<T>(): T | undefined {
  const answer = useActionData<T>() as T | undefined;
  const { key } = useLocation();
  const kept = useRef<{ key: string; answer: T }>();
  if (answer) kept.current = { key, answer };
  else if (kept.current?.key !== key) kept.current = undefined;
  return kept.current?.answer;
}
