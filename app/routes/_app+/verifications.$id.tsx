import {
  type ClientActionFunctionArgs,
  useActionData,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
} from "@remix-run/react";
import { useEffect, useRef } from "react";
import { keepFormWhenOffline } from "~/components/forms/keep-form-when-offline";
import { loadAgainWhenRefused } from "~/components/forms/load-again-when-refused";
import { named } from "~/components/layout/named";
import { KEEP_MESSAGES } from "~/components/layout/use-toast";
import { LOST_SENTENCE, LOST_TITLE } from "~/components/verifying/lost-answer";
import { ReviewPage } from "~/components/verifying/review-page";
import { formAction, parseForm } from "~/http/form-action.server";
import { idParam, pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { type Actor, canWrite } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { findAnswer } from "~/modules/directories/register.server";
import { listNoticesOfVerification } from "~/modules/messages/notifications/change-notices.statements.server";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import { sendPayeeLink } from "~/modules/payees/payee-links/payee-link.server";
import { isOwnWork } from "~/modules/payees/second-person";
import { findNamedOrigin } from "~/modules/payees/second-person.server";
import {
  findVerification,
  getVerification,
  listTimeline,
  type VerificationDetail,
} from "~/modules/payees/verifications/verification.server";
import { type CheckedAtOnce, checkAtOnce } from "~/modules/verifying/bank-checks/instant-check.server";
import { startBankDataCheck } from "~/modules/verifying/bank-checks/start-bank-check.server";
import { listCalls, listKnownPhones } from "~/modules/verifying/call-backs/call-back.server";
import { recordCall } from "~/modules/verifying/call-backs/record-call.server";
import { findPlace, readQueueView } from "~/modules/verifying/review/pending.server";
import { reviewHref, WATCH } from "~/modules/verifying/review/pending-address";
import { toPlaceView } from "~/modules/verifying/review/place.view";
import { basisOf } from "~/modules/verifying/review/review";
import {
  findApprovalOfVerification,
  findRestoring,
  listDeciders,
  listPayeeChanges,
  readMoneyAtStake,
} from "~/modules/verifying/review/review.queries.server";
import { type ReviewForm, reviewFormSchema } from "~/modules/verifying/review/review.schema.server";
import { atReasonField, reviewVerification } from "~/modules/verifying/review/review.server";
import { toReviewView } from "~/modules/verifying/review/review.view";
import {
  checkedAtOnceMessage,
  failureTitleOf,
  restoredMessage,
  successOf,
} from "~/modules/verifying/review/review-messages";
import { toWatchView } from "~/modules/verifying/review/watch.view";
import type { Services } from "~/services";

/** Back to the list this long after a decision (specification, section 9). */
const RETURN_DELAY_MS = 1500;

/** Goes to an address a while after something is done; goes nowhere once the person has pressed something that leads away. */
function useReturn(isDone: boolean, href: string, delayMs: number): void {
  const navigate = useNavigate();
  const isStill = useNavigation().state === "idle";
  useEffect(() => {
    if (!isDone || !isStill) return;
    const timer = setTimeout(() => navigate(href, { state: KEEP_MESSAGES }), delayMs);
    return () => clearTimeout(timer);
  }, [isDone, isStill, href, delayMs, navigate]);
}

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.view.payee.name} · ` : ""}Verification`,
  "Error Loading Verification",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services } = scope;
  const reading = readAhead(scope, (reader) => findVerification(services, reader, scope.params.id ?? ""));
  const actor = await pageMember(scope);
  const id = idParam(scope.params);
  const queue = readQueueView(scope.url.searchParams);
  const verification = await reading(actor);
  if (!verification) throw notFound();
  const change = { id, payeeId: verification.payee.id };
  const isOpen = verification.status === "pending";
  const [
    policy,
    approval,
    timeline,
    changes,
    money,
    place,
    calls,
    phones,
    choices,
    register,
    notices,
    missing,
    origin,
  ] = await Promise.all([
    findPolicy(services, actor.organizationId),
    findApprovalOfVerification(services, actor, verification),
    listTimeline(services, actor, id),
    listPayeeChanges(services, actor, verification.payee.id),
    readMoneyAtStake(services, actor, verification.payee.id),
    findPlace(services, actor, id, queue),
    listCalls(services, actor, id),
    listKnownPhones(services, actor, verification.payee.id),
    findReviewChoices(services, actor.userId),
    findAnswer(services, verification.payee.abn),
    listNoticesOfVerification(services, actor, change),
    isOpen && canWrite(actor) ? findMissingConfirmation(services, actor) : null,
    findNamedOrigin(services, verification.payee),
    recordReveal(services, actor, { entityType: "verification", entityId: id }),
  ]);
  const isShared = policy.secondPersonRequired && isOpen;
  const [deciders, restoring] = await Promise.all([
    isShared ? listDeciders(services, actor, approval) : null,
    isOpen ? readRestoring(services, actor, verification, isShared) : undefined,
  ]);
  const isRunning = verification.runningCheck !== null;
  const isWatching = isRunning && (scope.url.searchParams.has(WATCH) || !canWrite(actor));
  const view = toReviewView(
    verification,
    {
      ...{ timeline, changes, money, calls, phones, deciders, restoring, register, notices, origin },
      hasEntered: approval.enteredBy.has(actor.userId),
    },
    {
      isOwn: isOwnWork(approval, actor.userId),
      canWrite: canWrite(actor) && !isWatching,
      timeZone: policy.timeZone,
      now: services.clock.now(),
      secondPersonRequired: policy.secondPersonRequired,
      providerName: services.bankData.providerName,
      canAskAtOnce: services.instantBankData !== undefined,
      approvalEvidence: policy.approvalEvidence,
      missingConfirmation: missing,
    },
  );
  return {
    view,
    watch: isRunning ? toWatchView(id, queue, { isWatching, canStop: canWrite(actor) }) : null,
    place: toPlaceView(place, queue, choices),
    selfHref: reviewHref(id, queue),
    hasKeys: choices.reviewKeys,
    basis: basisOf(verification),
    submissionId: services.ids.next(),
  };
});

/** Whether this person may put the former details back, and who else; undefined where there are none. */
async function readRestoring(services: Services, actor: Actor, verification: VerificationDetail, isShared: boolean) {
  const found = await findRestoring(services, actor, verification);
  if (!found) return undefined;
  const { approval, isConfirmed } = found;
  const isOwn = isOwnWork(approval, actor.userId);
  const deciders = isShared && isOwn ? await listDeciders(services, actor, approval) : null;
  return { isOwn, isConfirmed, deciders };
}

export const shouldRevalidate = loadAgainWhenRefused;

type Decided = { isDecided: true };

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const id = idParam(scope.params);
  const { providerName } = services.bankData;
  return formAction(
    scope,
    async (form) => {
      const posted = parseForm(form, reviewFormSchema);
      const { payee } = await getVerification(services, actor, id);
      const told = await carryOut(services, actor, { id, payeeName: payee.name }, posted);
      const queue = readQueueView(scope.url.searchParams);
      const isDecision = posted.intent === "approve" || posted.intent === "reject";
      if (!isDecision) return { to: reviewHref(id, queue), flash: told };
      const flash = { ...told, action: { label: "See the verification", href: appPaths.verification(id) } };
      const [place, choices] = await Promise.all([
        findPlace(services, actor, id, queue),
        findReviewChoices(services, actor.userId),
      ]);
      // A script stays for a moment to show the decision; a browser without one goes on at once.
      const to = toPlaceView(place, queue, choices).onwardHref;
      return { to, flash, stay: { isDecided: true } satisfies Decided };
    },
    { title: (form) => failureTitleOf(form.get("intent"), providerName), describe: atReasonField },
  );
});

/** A connection that broke on the way: whether the server has decided is not known, and the page says so. */
export const clientAction = (args: ClientActionFunctionArgs) =>
  keepFormWhenOffline(args, { title: LOST_TITLE, sentence: LOST_SENTENCE });

type Subject = { id: string; payeeName: string };

/** @returns what the person is told */
async function carryOut(services: Services, actor: Actor, { id, payeeName }: Subject, posted: ReviewForm) {
  if (posted.intent === "check-now") {
    return sayAnswer(await checkAtOnce(services, actor, { verificationId: id, idempotencyKey: posted.submissionId }));
  }
  if (posted.intent === "reject" && posted.restoreFormer) return restore(services, actor, id, posted);
  await act(services, actor, id, posted);
  return successOf(posted.intent, payeeName, services.bankData.providerName);
}

/** A rejection that puts the former details back: what the reviewer had before them is what it rests on. */
async function restore(
  services: Services,
  actor: Actor,
  verificationId: string,
  { submissionId: idempotencyKey, reason, basis }: Extract<ReviewForm, { intent: "reject" }>,
) {
  const review = { approved: false, reason, restoreFormer: true } as const;
  const { payee } = await reviewVerification(services, actor, { verificationId, review, idempotencyKey, basis });
  return restoredMessage(payee.name, payee.whitelisted);
}

const sayAnswer = (checked: CheckedAtOnce) => checkedAtOnceMessage(checked.state === "running" ? null : checked);

type Act = Exclude<ReviewForm, { intent: "check-now" }>;

async function act(services: Services, actor: Actor, verificationId: string, posted: Act): Promise<void> {
  switch (posted.intent) {
    case "approve": {
      const { submissionId: idempotencyKey, basis, addToGlobalWhitelist, reason } = posted;
      const review = { approved: true, addToGlobalWhitelist, reason } as const;
      await reviewVerification(services, actor, { verificationId, review, idempotencyKey, basis });
      return;
    }
    case "reject": {
      const { submissionId: idempotencyKey, reason } = posted;
      const review = { approved: false, reason } as const;
      await reviewVerification(services, actor, { verificationId, review, idempotencyKey });
      return;
    }
    case "record-call": {
      const { submissionId: idempotencyKey, intent: _, ...call } = posted;
      await recordCall(services, actor, { verificationId, call, idempotencyKey });
      return;
    }
    case "verify-basiq":
      await startBankDataCheck(services, actor, { verificationId });
      return;
    case "send-link":
      await sendPayeeLink(services, actor, { verificationId, channel: posted.channel });
  }
}

export default function Verification() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useAnswer<Decided | FormAnswer>();
  const isDecided = answer !== undefined && "isDecided" in answer;
  const { place } = loaded;
  useReturn(isDecided, place.onwardHref, place.goesOn ? 0 : RETURN_DELAY_MS);
  return <ReviewPage {...loaded} answer={isDecided ? undefined : answer} isJustDecided={isDecided} />;
}

/**
 * What the last post of this page was answered, until the person goes on: for a page that loads its data again by itself,
 * which makes the router forget the answer, and what was typed with it.
 */
function useAnswer<T>(): T | undefined {
  const answer = useActionData<T>() as T | undefined;
  const { key } = useLocation();
  const kept = useRef<{ key: string; answer: T }>();
  if (answer) kept.current = { key, answer };
  else if (kept.current?.key !== key) kept.current = undefined;
  return kept.current?.answer;
}
