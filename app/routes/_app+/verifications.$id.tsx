import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { type ShouldRevalidateFunction, useActionData, useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { ReviewPage, type ReviewProblem } from "~/components/review/review-page";
import { useReturn } from "~/components/review/use-return";
import { check, readForm } from "~/http/body.server";
import { errorHeaders, toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { idParam, pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { type Actor, canWrite } from "~/kernel/actor";
import { appPaths } from "~/kernel/paths/app";
import { startBankDataCheck } from "~/modules/bank-checks/start-bank-check.commands.server";
import { recordReveal } from "~/modules/detail-reveals/record-reveal.commands.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { sendPayeeLink } from "~/modules/payee-links/payee-link.commands.server";
import { isOwnWork } from "~/modules/payees/second-person";
import { findPosition } from "~/modules/review/pending.queries.server";
import { basisOf } from "~/modules/review/review";
import { reviewVerification } from "~/modules/review/review.commands.server";
import { findApprovalOfVerification, listPayeeChanges, readMoneyAtStake } from "~/modules/review/review.queries.server";
import { type ReviewForm, reviewFormSchema } from "~/modules/review/review.schema.server";
import { toReviewView } from "~/modules/review/review.view";
import { failureTitleOf, type ReviewIntent, successOf } from "~/modules/review/review-messages";
import { getVerification, listTimeline } from "~/modules/verifications/verification.queries.server";
import type { Services } from "~/services";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded ? `${loaded.view.payee.name} · ` : ""}Verification`),
];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  const id = idParam(scope.params);
  const verification = await getVerification(services, actor, id);
  const [policy, approval, timeline, changes, money, position] = await Promise.all([
    findPolicy(services, actor.organizationId),
    findApprovalOfVerification(services, actor, verification),
    listTimeline(services, actor, id),
    listPayeeChanges(services, actor, verification.payee.id),
    readMoneyAtStake(services, actor, verification.payee.id),
    verification.status === "pending" ? findPosition(services, actor, id) : undefined,
    recordReveal(services, actor, { entityType: "verification", entityId: id }),
  ]);
  const view = toReviewView(
    verification,
    { timeline, changes, money },
    {
      isOwn: isOwnWork(approval, actor.userId),
      canWrite: canWrite(actor),
      timeZone: policy.timeZone,
      now: services.clock.now(),
      secondPersonRequired: policy.secondPersonRequired,
      providerName: services.bankData.providerName,
    },
  );
  return { view, position, basis: basisOf(verification), submissionId: services.ids.next() };
});

/** Refused because something else is true by now: the page shows it. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionStatus, defaultShouldRevalidate }) =>
  actionStatus === 409 || defaultShouldRevalidate;

type Answer = { isDecided: boolean; problem?: ReviewProblem };

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services, request } = scope;
  const id = idParam(scope.params);
  const form = await readForm(request);
  const { providerName } = services.bankData;
  try {
    const posted = check(reviewFormSchema, Object.fromEntries(form));
    const { payee } = await getVerification(services, actor, id);
    await carryOut(services, actor, id, posted);
    const headers = { "Set-Cookie": await setFlash(services, successOf(posted.intent, payee.name, providerName)) };
    const isDecided = posted.intent === "approve" || posted.intent === "reject";
    // A script stays for a moment to show the decision; a browser without one goes on at once.
    if (isDecided && !isDocumentPost(request)) return data<Answer>({ isDecided }, { headers });
    throw redirect(isDecided ? appPaths.pendingVerifications : appPaths.verification(id), { status: 303, headers });
  } catch (error) {
    if (error instanceof Response) throw error;
    const refused = toAppError(error, services.log);
    if (refused.status === 404) throw refused;
    const reason = form.get("reason");
    const problem = {
      title: failureTitleOf(intentOf(form), providerName),
      message: refused.message,
      typed: {
        intent: intentOf(form),
        reason: typeof reason === "string" ? reason : undefined,
        errors: refused.code === "REASON_REQUIRED" ? [refused.message] : refused.fieldErrors?.reason,
      },
    };
    return data<Answer>({ isDecided: false, problem }, { status: refused.status, headers: errorHeaders(refused) });
  }
});

async function carryOut(services: Services, actor: Actor, verificationId: string, posted: ReviewForm): Promise<void> {
  switch (posted.intent) {
    case "approve": {
      const { submissionId: idempotencyKey, basis, addToGlobalWhitelist, reason } = posted;
      const review = { approved: true, addToGlobalWhitelist, reason } as const;
      await reviewVerification(services, actor, { verificationId, review, idempotencyKey, basis });
      return;
    }
    case "reject": {
      const { submissionId: idempotencyKey, reason } = posted;
      await reviewVerification(services, actor, {
        verificationId,
        review: { approved: false, reason },
        idempotencyKey,
      });
      return;
    }
    case "verify-basiq":
      await startBankDataCheck(services, actor, { verificationId });
      return;
    case "send-link":
      await sendPayeeLink(services, actor, { verificationId, channel: posted.channel });
  }
}

const isDocumentPost = (request: Request) => (request.headers.get("Accept") ?? "").includes("text/html");

function intentOf(form: FormData): ReviewIntent | undefined {
  const known: readonly ReviewIntent[] = ["approve", "reject", "verify-basiq", "send-link"];
  return known.find((intent) => intent === form.get("intent"));
}

export default function Verification() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  const isDecided = answer?.isDecided === true;
  useReturn(isDecided, appPaths.pendingVerifications);
  return <ReviewPage {...loaded} problem={answer?.problem} isJustDecided={isDecided} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Verification" />;
}
