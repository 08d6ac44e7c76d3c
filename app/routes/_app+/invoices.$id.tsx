import { useActionData, useLoaderData } from "@remix-run/react";
import { type FormAnswer, keepWhatWasTyped, loadAgainWhenRefused } from "~/components/forms/form";
import { InvoicePage } from "~/components/payments/invoices/invoice-page";
import { InboxFrame } from "~/components/records/inbox/inbox-frame";
import { named } from "~/components/ui/page-parts";
import {
  formAction,
  idParam,
  type PageArgs,
  page,
  pageMember,
  pageWriter,
  parseForm,
  withStepUp,
} from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { findReviewChoices } from "~/modules/accounts/identity/profile.server";
import { submissionSchema } from "~/modules/core/commands/run-command.server";
import { recordReveal } from "~/modules/core/record-reveal.server";
import {
  decideInvoice,
  deleteInvoice,
  invoiceDecisionSchema,
  shownVersionSchema,
  verifyNewDetails,
} from "~/modules/payments/invoices/decide-invoice.server";
import { findStoppedPlace } from "~/modules/payments/invoices/invoice.server";
import { readInvoicePage } from "~/modules/payments/invoices/invoice-page.server";
import { pageOnceDecided, placeInInbox, readInboxBeside } from "~/modules/records/inbox/inbox.server";
import { askNow, bankAnswerSentence } from "~/modules/verifying/bank-checks/ask-automatically.server";
import type { Actor } from "~/services-and-actor";

/** How often the page reloads in a browser without scripts while the invoice is being read. */
const REFRESH_SECONDS = 3;

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.invoice.title} · ` : ""}Invoice`,
  "Error Loading Invoice",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "page");
  const { services } = scope;
  const id = idParam(scope.params);
  const invoice = await readInvoicePage(services, actor, id);
  const [{ inbox, place }, { reviewKeys: hasKeys }] = await Promise.all([
    readPlace(scope, actor, id),
    findReviewChoices(services, actor.userId),
    // The page shows the payee's full account beside the invoice's.
    invoice.payee && recordReveal(services, actor, { entityType: "payee", entityId: invoice.payee.id }),
  ]);
  return {
    ...{ invoice, inbox, place, hasKeys },
    watch: invoice.status === "reading" ? { refreshSeconds: REFRESH_SECONDS } : null,
  };
});

/** Its place among the invoices that need a decision, or in the Inbox that it was opened from. */
async function readPlace({ services, url }: PageArgs, actor: Actor, id: string) {
  const inbox = await readInboxBeside(services, actor, url.searchParams);
  const path = appPaths.supplierInvoice(id);
  return {
    inbox,
    place: inbox ? placeInInbox(inbox, path, url.searchParams) : await findStoppedPlace(services, actor, id),
  };
}

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageWriter(scope), "page");
  const { services } = scope;
  const invoiceId = idParam(scope.params);
  const here = appPaths.supplierInvoice(invoiceId);
  return formAction(
    scope,
    async (form) => {
      const { submissionId: idempotencyKey } = parseForm(form, submissionSchema);
      if (form.get("intent") === "verify") {
        const { verificationId } = await verifyNewDetails(services, actor, { invoiceId, idempotencyKey });
        const asked = bankAnswerSentence(await askNow(services, actor, verificationId));
        const description = asked || "Nothing else was changed.";
        return {
          to: appPaths.verification(verificationId),
          flash: { tone: "info", title: "Its verification is open", description },
        };
      }
      if (form.get("intent") === "delete") {
        await deleteInvoice(services, actor, invoiceId);
        return { to: appPaths.invoices, flash: { tone: "success", title: "Invoice deleted" } };
      }
      const { version } = parseForm(form, shownVersionSchema);
      const posted = parseForm(form, invoiceDecisionSchema);
      const nextHref = await findOnward(scope, actor, invoiceId);
      const to = await pageOnceDecided(services, actor, here, scope.url.searchParams);
      await decideInvoice(services, actor, { invoiceId, ...posted, version, idempotencyKey });
      const title = posted.decision === "accept" ? "Invoice accepted" : "Invoice stopped";
      const flash = { tone: "success", title } as const;
      if (nextHref) return { to: nextHref, flash: { ...flash, action: { label: "See the invoice", href: here } } };
      return { to, flash };
    },
    { title: "Nothing was decided" },
  );
});

/** The next to decide, for people who chose to go on to it at once. */
async function findOnward(scope: PageArgs, actor: Actor, id: string): Promise<string | null> {
  const { reviewNext } = await findReviewChoices(scope.services, actor.userId);
  return reviewNext ? (await readPlace(scope, actor, id)).place.nextHref : null;
}

export const clientAction = keepWhatWasTyped;

export const shouldRevalidate = loadAgainWhenRefused;

export default function Invoice() {
  const { inbox, invoice, place, hasKeys } = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return (
    <InboxFrame inbox={inbox}>
      <InvoicePage {...{ invoice, place, hasKeys, answer }} />
    </InboxFrame>
  );
}
