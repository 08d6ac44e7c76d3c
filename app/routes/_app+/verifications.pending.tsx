import { useActionData, useLoaderData } from "@remix-run/react";
import { type FormAnswer, keepWhatWasTyped } from "~/components/forms/form";
import { named } from "~/components/ui/page-parts";
import { QueuePage } from "~/components/verifying/queue-page";
import { formAction, keepingAll, page, pageMember, pageWriter, parseForm } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { AppError } from "~/kernel/app-error";
import { changeReviewChoices, findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { actOnEach, sumUp } from "~/modules/verifying/act-on-each.server";
import { readPendingFilter, readQueueView } from "~/modules/verifying/review/pending.server";
import {
  type BulkForm,
  type QueueForm,
  queueFormSchema,
  readPendingPage,
  readQueue,
} from "~/modules/verifying/review/pending-page.server";
import { pendingHref } from "~/modules/verifying/review/verification-list";
import { removeView, saveView } from "~/modules/verifying/saved-view.server";
import type { Actor, Services } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named("Pending verifications", "Error Loading Verifications");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const { services, url } = scope;
  const filter = readPendingFilter(url.searchParams);
  const reading = readAhead(scope, (reader) => readQueue(services, reader, filter));
  const actor = await pageMember(scope);
  return readPendingPage(services, actor, filter, reading(actor));
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const member = await pageMember(scope);
  const { services, url } = scope;
  if (member.organizationId === "")
    throw new AppError("ORGANIZATION_REQUIRED", "Join or create an organisation first.");
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

export const clientAction = keepWhatWasTyped;

/** Changes a person's own settings, which read-only people have too. @returns the message */
async function changeOwnView(services: Services, actor: Actor, posted: Exclude<QueueForm, BulkForm>, href: string) {
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
      return posted.roomy === "yes" ? "Rows have more space" : "Rows are closer together";
    }
  }
}

export default function PendingVerifications() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return <QueuePage {...loaded} answer={answer} />;
}
