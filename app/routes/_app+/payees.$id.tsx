import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { PayeePage, type PayeePageAnswer } from "~/components/payees/payee-page";
import { check, readForm } from "~/http/body.server";
import { errorHeaders, toAppError } from "~/http/errors.server";
import { type Flash, setFlash } from "~/http/flash.server";
import { idParam, pageMember, pageWriter } from "~/http/guards.server";
import { page } from "~/http/page.server";
import { type Actor, canWrite } from "~/kernel/actor";
import type { AppError } from "~/kernel/app-error";
import { recordReveal } from "~/modules/audit/reveal.commands.server";
import { type PayeePost, payeePostSchema } from "~/modules/payees/payee.schema.server";
import { readPayeeView } from "~/modules/payees/payee.view.server";
import { payeePath } from "~/modules/payees/payees.view";
import { startVerification } from "~/modules/payees/start-verification.commands.server";
import { unwhitelistByHand, whitelistByHand } from "~/modules/payees/whitelist-by-hand.commands.server";
import { reviewPath } from "~/modules/review/pending-address";
import type { Services } from "~/services";

export const meta: MetaFunction<typeof loader> = ({ data: loaded, ...route }) => [
  pageTitle(route, `${loaded ? `${loaded.payee.name} · ` : ""}Payee`),
];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  const { services } = scope;
  const id = idParam(scope.params);
  const payee = await readPayeeView(services, actor, id);
  await recordReveal(services, actor, { entityType: "payee", entityId: id });
  return { payee, canWrite: canWrite(actor) };
});

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const { services } = scope;
  const id = idParam(scope.params);
  const form = await readForm(scope.request);
  try {
    const { to, ...flash } = await act(services, actor, id, check(payeePostSchema, Object.fromEntries(form)));
    return redirect(to, { status: 303, headers: { "Set-Cookie": await setFlash(services, flash) } });
  } catch (error) {
    const refused = toAppError(error, services.log);
    if (refused.status === 404) throw refused;
    return data(answerRefusal(form, refused), { status: refused.status, headers: errorHeaders(refused) });
  }
});

/** Does what was asked for, and says where to go and what to say there. */
async function act(services: Services, actor: Actor, id: string, post: PayeePost): Promise<Flash & { to: string }> {
  const to = payeePath(id);
  switch (post.intent) {
    case "verify": {
      const { verificationId } = await startVerification(services, actor, id);
      return { to: reviewPath(verificationId), tone: "success", title: "New verification opened" };
    }
    case "whitelist": {
      const isNew = await whitelistByHand(services, actor, { payeeId: id, ...post });
      return { to, tone: "success", title: isNew ? "Added to the whitelist" : "Already on the whitelist" };
    }
    case "unwhitelist": {
      const wasOn = await unwhitelistByHand(services, actor, { payeeId: id, ...post });
      return { to, tone: "success", title: wasOn ? "Taken off the whitelist" : "Not on the whitelist" };
    }
  }
}

function answerRefusal(form: FormData, { code, message, fieldErrors }: AppError): PayeePageAnswer {
  const reason = form.get("reason");
  const errors = fieldErrors?.reason;
  return {
    problem: errors ? null : message,
    needsSubscription: code === "SUBSCRIPTION_REQUIRED",
    trust: typeof reason === "string" ? { reason, errors: errors ?? [] } : undefined,
  };
}

export default function Payee() {
  const { payee, canWrite: isWriter } = useLoaderData<typeof loader>();
  return <PayeePage payee={payee} canWrite={isWriter} answer={useActionData<PayeePageAnswer>()} />;
}

export function ErrorBoundary() {
  return <LoadError title="Error Loading Payee" />;
}
