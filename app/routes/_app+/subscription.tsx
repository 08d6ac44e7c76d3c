import { data, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SubscriptionPage } from "~/components/billing/subscription-page";
import { LoadError } from "~/components/layout/load-error";
import { pageTitle } from "~/components/layout/page-title";
import { NoOrganization } from "~/components/organizations/no-organization";
import { readForm } from "~/http/body.server";
import { errorHeaders, toAppError } from "~/http/errors.server";
import { setFlash } from "~/http/flash.server";
import { pageMember, pageWriter } from "~/http/guards.server";
import { type PageArgs, page } from "~/http/page.server";
import { type Actor, canWrite } from "~/kernel/actor";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { type ReturnFrom, welcomeBack } from "~/modules/billing/after-return.commands.server";
import { resumeSubscription } from "~/modules/billing/manage-subscription.commands.server";
import { type PaymentOutcome, toOutcome } from "~/modules/billing/payment-outcome";
import { createSubscription } from "~/modules/billing/subscribe.commands.server";
import type { SubscriptionView } from "~/modules/billing/subscription.view";
import { findPayment, viewSubscription } from "~/modules/billing/subscription-page.queries.server";
import { isLiveStatus, STATUS_TEXT } from "~/modules/billing/subscription-status";

type Problem = { title: string; message: string };

export const meta: MetaFunction = (route) => [pageTitle(route, "Subscription")];

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  if (!actor.organizationId) return null;
  const { services, url } = scope;
  const back = returnOf(url);
  if (back) {
    const outcome = await welcomeBack(services, actor, back);
    throw redirect(withQuery(appPaths.subscription, { payment: outcome }));
  }
  const payment = url.searchParams.has("pay") ? await paymentFor(scope, actor) : null;
  const view = await viewSubscription(services, actor);
  return { view, outcome: outcomeIn(url, view), payment };
});

/** What the address says of a payment, unless our own rows know better. */
function outcomeIn({ searchParams }: URL, { status }: SubscriptionView): PaymentOutcome | null {
  const asked = searchParams.get("payment");
  if (asked === null) return null;
  const outcome = toOutcome(asked);
  return outcome === "succeeded" && !isLiveStatus(status?.name ?? null) ? "processing" : outcome;
}

/** The provider sends people back with what is in the address; none of it stays there. */
function returnOf({ searchParams }: URL): ReturnFrom | undefined {
  const clientSecret = searchParams.get("payment_intent_client_secret");
  if (clientSecret !== null) return { from: "payment", clientSecret };
  if (searchParams.has("checkout")) return { from: "checkout" };
  return searchParams.has("portal") ? { from: "portal" } : undefined;
}

/** What the card form needs; back to the page where there is nothing to pay. */
async function paymentFor({ services }: PageArgs, actor: Actor) {
  const found = canWrite(actor) ? await findPayment(services, actor) : null;
  if (!found) throw redirect(appPaths.subscription);
  const { appOrigin, cardForm } = services.config;
  return {
    place: cardForm,
    clientSecret: found.clientSecret,
    amount: found.amount,
    returnUrl: `${appOrigin}${appPaths.subscription}`,
  };
}

export const action = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageWriter(scope);
  const form = await readForm(scope.request);
  const intent = form.get("intent");
  try {
    if (intent === "resume") {
      await resumeSubscription(scope.services, actor);
      return await backToPage(scope, "Subscription resumed", "It continues as before, without interruption.");
    }
    return await goToPayment(scope, actor, intent !== "hosted" && form.get("scripted") === "yes");
  } catch (error) {
    if (error instanceof Response) throw error;
    const refused = toAppError(error, scope.services.log);
    const problem: Problem = { title: intent === "resume" ? "Error" : "Subscription Error", message: refused.message };
    return data({ problem }, { status: refused.status, headers: errorHeaders(refused) });
  }
});

async function goToPayment(scope: PageArgs, actor: Actor, onOurPage: boolean) {
  const { status, payment, checkoutUrl } = await createSubscription(
    scope.services,
    actor,
    onOurPage ? "element" : "checkout",
  );
  if (payment && onOurPage) return redirect(`${appPaths.subscription}?pay=1`, 303);
  if (payment?.hostedUrl || checkoutUrl) return redirect(appPaths.stripeRedirect("payment"), 303);
  return backToPage(scope, "There is nothing to pay", `Your subscription: ${STATUS_TEXT[status]}.`);
}

async function backToPage({ services }: PageArgs, title: string, description: string) {
  const headers = { "Set-Cookie": await setFlash(services, { tone: "success", title, description }) };
  return redirect(appPaths.subscription, { status: 303, headers });
}

export default function Subscription() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<{ problem?: Problem }>();
  return loaded ? <SubscriptionPage {...loaded} problem={answer?.problem} /> : <NoOrganization />;
}

export function ErrorBoundary() {
  return <LoadError title="Subscription Error" />;
}
