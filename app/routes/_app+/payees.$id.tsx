import { useActionData, useLoaderData } from "@remix-run/react";
import { type FormAnswer, keepWhatWasTyped } from "~/components/forms/form";
import { PayeePage } from "~/components/payees/payee-page";
import { named } from "~/components/ui/page-parts";
import {
  type Accepted,
  type Flash,
  formAction,
  idParam,
  page,
  pageMember,
  pageWriter,
  parseForm,
  withStepUp,
} from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { findSeenPayments, listChangesOfPayee } from "~/modules/connections/integration.server";
import { seenPaymentsSentence, showChange } from "~/modules/connections/integration.view";
import { recordReveal } from "~/modules/core/record-reveal.server";
import { archivePayee, restorePayee } from "~/modules/payees/archive-payee.server";
import { startVerification } from "~/modules/payees/open-verification.server";
import { type PayeePost, payeePostSchema } from "~/modules/payees/payee-fields.server";
import { readPayeePage } from "~/modules/payees/payee-page.server";
import { TRUST_NOTICES, unwhitelistByHand, whitelistByHand } from "~/modules/payees/whitelist-by-hand.server";
import { readInvoicesOfPayee } from "~/modules/payments/invoices/invoice-page.server";
import { forgetWay, readWaysOfPayee } from "~/modules/payments/invoices/known-ways.server";
import { findReturnToShow, readPayeeChart } from "~/modules/payments/payee-chart.server";
import { type Actor, canAdminister, canWrite, type Services } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named<typeof loader>(
  (loaded) => `${loaded ? `${loaded.payee.name} · ` : ""}Payee`,
  "Error Loading Payee",
);

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageMember(scope), "page");
  const { services } = scope;
  const id = idParam(scope.params);
  const payee = await readPayeePage(services, actor, id);
  const [returned, changes, seen, invoices, ways, chart] = await Promise.all([
    findReturnToShow(services, actor, id),
    listChangesOfPayee(services, actor, id),
    findSeenPayments(services, actor, id),
    readInvoicesOfPayee(services, actor, id),
    readWaysOfPayee(services, actor, { id, ...payee.details }),
    readPayeeChart(services, actor, payee),
    recordReveal(services, actor, { entityType: "payee", entityId: id }),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  const accountChanges = changes.map((change) => showChange(change, zone, false));
  const seenPayments = seenPaymentsSentence(seen, actor.timeZone);
  const may = { canWrite: canWrite(actor), canForget: canAdminister(actor) };
  return { payee, returned, accountChanges, seenPayments, invoices, ways, chart, ...may };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = withStepUp(scope, await pageWriter(scope), "page");
  const id = idParam(scope.params);
  return formAction(scope, (form) => act(scope.services, actor, id, parseForm(form, payeePostSchema)), {
    title: "Nothing was changed",
  });
});

export const clientAction = keepWhatWasTyped;

/** Runs the requested action. @returns the next page and its message */
async function act(services: Services, actor: Actor, id: string, post: PayeePost): Promise<Accepted> {
  const to = appPaths.payee(id);
  switch (post.intent) {
    case "verify": {
      const { verificationId } = await startVerification(services, actor, id);
      return {
        to: appPaths.verification(verificationId),
        flash: { tone: "info", title: "New verification opened" },
      };
    }
    case "archive": {
      await archivePayee(services, actor, id);
      return {
        to,
        flash: {
          tone: "info",
          title: "Payee archived",
          description: "It no longer appears in lists. Nothing was deleted.",
        },
      };
    }
    case "restore": {
      await restorePayee(services, actor, id);
      return { to, flash: { tone: "info", title: "Payee restored", description: "Verify it before you pay it." } };
    }
    case "forget-way": {
      await forgetWay(services, actor, { payeeId: id, ...post });
      const description =
        "The next invoice of this payee that names it warns again. Those that were read before do not.";
      return { to, flash: { tone: "success", title: "Way to pay forgotten", description } };
    }
    case "whitelist": {
      const isNew = await whitelistByHand(services, actor, { payeeId: id, ...post });
      return { to, flash: flashOf(isNew ? "added" : "was_on") };
    }
    case "unwhitelist": {
      return { to, flash: flashOf(await unwhitelistByHand(services, actor, { payeeId: id, ...post })) };
    }
  }
}

function flashOf(what: keyof typeof TRUST_NOTICES): Flash {
  const { title, text } = TRUST_NOTICES[what];
  return { tone: "success", title, ...(text && { description: text }) };
}

export default function Payee() {
  return <PayeePage {...useLoaderData<typeof loader>()} answer={useActionData<FormAnswer>()} />;
}
