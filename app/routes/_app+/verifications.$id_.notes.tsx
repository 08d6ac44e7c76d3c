import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { NotesPage } from "~/components/verifying/notes-page";
import { formAction, parseForm } from "~/http/form-action.server";
import { idParam, pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { canWrite } from "~/kernel/actor";
import type { FormAnswer } from "~/kernel/form-answer";
import { appPaths } from "~/kernel/paths/app";
import { listColleagues } from "~/modules/accounts/members/colleagues.server";
import { isOpen } from "~/modules/payees/verifications/verification";
import { getVerification, listTimeline } from "~/modules/payees/verifications/verification.server";
import { assignVerification } from "~/modules/verifying/assign.server";
import { commentOnVerification } from "~/modules/verifying/comment.server";
import { notesFormSchema } from "~/modules/verifying/review/notes-form.server";
import { toTimelineEvent } from "~/modules/verifying/review/review-timeline";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded ? `${loaded.payeeName} · ` : ""}Comments`),
];

const COMMENTED = "verification.commented";

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  const id = idParam(scope.params);
  const [verification, timeline, colleagues] = await Promise.all([
    getVerification(services, actor, id),
    listTimeline(services, actor, id),
    listColleagues(services, actor, { canWrite: true }),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    id,
    payeeName: verification.payee.name,
    comments: timeline.filter(({ action }) => action === COMMENTED).map((entry) => toTimelineEvent(entry, zone)),
    assignedToId: verification.assignedToId,
    canWrite: canWrite(actor),
    canAssign: canWrite(actor) && isOpen(verification.status),
    colleagues,
    submissionId: services.ids.next(),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const verificationId = idParam(scope.params);
  const to = appPaths.verificationNotes(verificationId);
  return formAction(scope, async (form) => {
    const posted = parseForm(form, notesFormSchema);
    if (posted.intent === "assign") {
      await assignVerification(services, actor, { verificationId, assigneeId: posted.assignee });
      return { to, flash: { tone: "success", title: posted.assignee ? "Assigned" : "Assigned to nobody" } };
    }
    const { text, submissionId: idempotencyKey } = posted;
    await commentOnVerification(services, actor, { verificationId, text, idempotencyKey });
    return { to, flash: { tone: "success", title: "Comment added" } };
  });
});

/** What was typed stays when the connection is lost. */
export const clientAction = keepWhatWasTyped;

export default function Notes() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return <NotesPage {...loaded} answer={answer} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Verification" />;
}
