import { useActionData, useLoaderData } from "@remix-run/react";
import { AccountChangePage } from "~/components/connections/account-change";
import { type FormAnswer, keepWhatWasTyped } from "~/components/forms/form";
import { InboxFrame } from "~/components/records/inbox/inbox-frame";
import { named } from "~/components/ui/page-parts";
import {
  type Accepted,
  formAction,
  idParam,
  page,
  pageMember,
  pageWriter,
  parseForm,
  withStepUp,
} from "~/http/page.server";
import { AppError } from "~/kernel/app-error";
import { appPaths } from "~/kernel/paths/app";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { keepOwnDetails } from "~/modules/connections/account-change.server";
import { accountChangeSchema, listChangesOfPayee } from "~/modules/connections/integration.server";
import { keyOf, showChange } from "~/modules/connections/integration.view";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { editPayee, readContactSentence } from "~/modules/payees/edit-payee.server";
import { getPayee } from "~/modules/payees/payee.server";
import { placeInInbox, readInboxBeside } from "~/modules/records/inbox/inbox.server";
import { type Actor, canWrite, type Services } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.name} · ` : ""}Accounting system`,
  "Error Loading Payee",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "page");
  const { services } = scope;
  const id = idParam(scope.params);
  const payee = await getPayee(services, actor, id);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const changes = await listChangesOfPayee(services, actor, id);
  const params = scope.url.searchParams;
  const [inbox, { reviewKeys: hasKeys }] = await Promise.all([
    readInboxBeside(services, actor, params),
    findReviewChoices(services, actor.userId),
    recordReveal(services, actor, { entityType: "payee", entityId: id }),
  ]);
  return {
    id,
    ...{ inbox, hasKeys },
    place: inbox && placeInInbox(inbox, appPaths.payeeAccounting(id), params),
    name: payee.name,
    changes: changes.map((change) => showChange(change, zone, true)),
    canWrite: canWrite(actor),
  };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageWriter(scope), "page");
  const id = idParam(scope.params);
  return formAction(scope, (form) => decide(scope.services, actor, id, form), { title: "Nothing was changed" });
});

export const clientAction = keepWhatWasTyped;

/** Accepts the accounting system's details as an edit, with all its consequences, or keeps the payee's own. */
async function decide(services: Services, actor: Actor, id: string, form: FormData): Promise<Accepted> {
  const post = parseForm(form, accountChangeSchema);
  const open = await listChangesOfPayee(services, actor, id);
  const change = open.find(({ contact }) => keyOf(contact) === post.key);
  const { seenBsb: bsb, seenAccountNumber: accountNumber, noticedAt, system, contactId } = change?.contact ?? {};
  if (!change || !bsb || !accountNumber || !noticedAt || (system !== "xero" && system !== "myob") || !contactId) {
    throw new AppError("CHANGED_MEANWHILE", "The details changed in the meantime. Look at them again.");
  }
  const to = appPaths.payee(id);
  if (post.intent === "keep") {
    await keepOwnDetails(services, actor, { payeeId: id, system, contactId, noticedAt, reason: post.reason });
    return {
      to,
      flash: {
        tone: "info",
        title: "The payee keeps its details",
        description: "Decide about its held payments next.",
      },
    };
  }
  const { version } = change.payee;
  const done = await editPayee(services, actor, { payeeId: id, patch: { bsb, accountNumber }, version });
  const contacts = await readContactSentence(services, actor, id, done);
  return {
    to,
    flash: {
      tone: "info",
      title: "Bank details changed",
      description: `A verification of the new details is open. Payments stay held until it is decided. ${contacts}`,
    },
  };
}

export default function AccountingChange() {
  const { inbox, ...loaded } = useLoaderData<typeof loader>();
  return (
    <InboxFrame inbox={inbox}>
      <AccountChangePage {...loaded} answer={useActionData<FormAnswer>()} />
    </InboxFrame>
  );
}
