import { useActionData, useLoaderData } from "@remix-run/react";
import { keepWhatWasTyped } from "~/components/forms/keep-form-when-offline";
import { named } from "~/components/layout/named";
import { QueuePage } from "~/components/verifying/queue-page";
import { formAction, keepingAll, parseForm } from "~/http/form-action.server";
import { pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { type Actor, canWrite } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { FormAnswer } from "~/kernel/form-answer";
import { changeReviewChoices, findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { listColleagues } from "~/modules/accounts/members/members.server";
import { findMissingConfirmation } from "~/modules/messages/notifications/outside-messages.queries.server";
import { actOnEach } from "~/modules/verifying/act-on-each.server";
import { sumUp } from "~/modules/verifying/review/bulk";
import {
  listPendingVerifications,
  readPendingFilter,
  readQueueView,
  readSearch,
} from "~/modules/verifying/review/pending.server";
import { showCounts, toPendingRow } from "~/modules/verifying/review/pending.view";
import { pendingHref } from "~/modules/verifying/review/pending-address";
import { countPending } from "~/modules/verifying/review/pending-counts.server";
import { type BulkForm, type QueueForm, queueFormSchema } from "~/modules/verifying/review/queue-form.server";
import { listSavedViews, removeView, saveView } from "~/modules/verifying/saved-view.server";
import type { Services } from "~/services";

export const { meta, ErrorBoundary } = named("Pending verifications", "Error Loading Verifications");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, url } = scope;
  const { mine, after, before, ...view } = readPendingFilter(url.searchParams);
  const reading = readAhead(scope, (reader) => {
    const assignedTo = mine ? reader.userId : undefined;
    const search = readSearch(services, reader, view.q);
    return Promise.all([
      listPendingVerifications(services, reader, { ...view, assignedTo, after, before }, search),
      countPending(services, reader, view, search),
      listSavedViews(services, reader),
      findReviewChoices(services, reader.userId),
      listColleagues(services, reader, { canWrite: true }),
    ]);
  });
  const actor = await pageMember(scope);
  const [[list, counts, views, choices, colleagues], missing] = await Promise.all([
    reading(actor),
    canWrite(actor) ? findMissingConfirmation(services, actor) : null,
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const filter = { q: view.q, match: view.match, order: view.order, mine };
  return {
    rows: list.verifications.map((row) => toPendingRow(row, row.heldCents, zone)),
    filter,
    isNarrowed: Boolean(view.q || view.match || mine || after || before),
    counts: showCounts(counts, { isSearch: Boolean(view.q) }),
    views,
    isRoomy: choices.reviewRoomy,
    canAct: canWrite(actor),
    missing,
    colleagues: canWrite(actor) ? colleagues : [],
    providerName: services.bankData.providerName,
    submissionId: services.ids.next(),
    previousHref: list.previous && pendingHref({ ...filter, before: list.previous }),
    nextHref: list.next && pendingHref({ ...filter, after: list.next }),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const member = await pageMember(scope);
  const { services, url } = scope;
  if (member.organizationId === "")
    throw new AppError("ORGANIZATION_REQUIRED", 403, "Join or create an organisation first.");
  const view = readQueueView(url.searchParams);
  return formAction(
    scope,
    async (form) => {
      const posted = parseForm(form, queueFormSchema);
      if (!("id" in posted)) {
        const title = await changeOwnView(services, member, posted, pendingHref(view));
        return { to: pendingHref(view), flash: { tone: "success", title } };
      }
      const actor = await pageWriter(scope);
      const { id: ids, submissionId: key, ...act } = posted;
      return { next: sumUp(await actOnEach(services, actor, { ids, act, key })) };
    },
    { describe: keepingAll("id") },
  );
});

/** What was ticked and typed stays when the connection is lost. */
export const clientAction = keepWhatWasTyped;

/** What a person sets for their own eyes only; read-only people too. Answers with what is told. */
async function changeOwnView(
  services: Services,
  actor: Actor,
  posted: Exclude<QueueForm, BulkForm>,
  href: string,
): Promise<string> {
  switch (posted.intent) {
    case "save-view":
      await saveView(services, actor, { name: posted.name, query: href.split("?")[1] ?? "" });
      return `View saved: ${posted.name}`;
    case "remove-view":
      await removeView(services, actor, posted.view);
      return "View removed";
    case "density": {
      const choices = await findReviewChoices(services, actor.userId);
      await changeReviewChoices(services, actor, { ...choices, reviewRoomy: posted.roomy === "yes" });
      return posted.roomy === "yes" ? "Rows have more space" : "Rows are dense";
    }
  }
}

export default function PendingVerifications() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return <QueuePage {...loaded} answer={answer} />;
}
