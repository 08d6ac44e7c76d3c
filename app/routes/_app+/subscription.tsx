import { redirect } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { SubscriptionPage } from "~/components/accounts/billing/subscription-page";
import { type FormAnswer, keepWhatWasTyped } from "~/components/forms/form";
import { named } from "~/components/ui/page-parts";
import { type Accepted, formAction, type PageArgs, page, pageMember, pageWriter } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/site";
import { createSubscription, resumeSubscription } from "~/modules/accounts/billing/manage-subscription.server";
import { isLiveStatus, STATUS_TEXT } from "~/modules/accounts/billing/subscription";
import { type PaymentOutcome, type SubscriptionView, toOutcome } from "~/modules/accounts/billing/subscription.view";
import {
  findPayment,
  type ReturnFrom,
  readSubscriptionPage,
  syncAfterReturn,
} from "~/modules/accounts/billing/subscription-page.server";
import { type Actor, canWrite } from "~/services-and-actor";

export const { meta, ErrorBoundary } = named("Subscription", "Subscription Error");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  if (!actor.organizationId) return null;
  const { services, url } = scope;
  const back = returnOf(url);
  if (back) {
    const outcome = await syncAfterReturn(services, actor, back);
    throw redirect(withQuery(appPaths.subscription, { payment: outcome }));
  }
  const payment = url.searchParams.has("pay") ? await paymentFor(scope, actor) : null;
  const view = await readSubscriptionPage(services, actor);
  return { view, outcome: outcomeIn(url, view), payment };
});

/** The payment's result according to the address, unless our own rows say otherwise. */
function outcomeIn({ searchParams }: URL, { status }: SubscriptionView): PaymentOutcome | null {
  const asked = searchParams.get("payment");
  if (asked === null) return null;
  const outcome = toOutcome(asked);
  return outcome === "succeeded" && !isLiveStatus(status?.name ?? null) ? "processing" : outcome;
}

/** The provider's return parameters, which are then removed from the address. */
function returnOf({ searchParams }: URL): ReturnFrom | undefined {
  const clientSecret = searchParams.get("payment_intent_client_secret");
  if (clientSecret !== null) return { from: "payment", clientSecret };
  if (searchParams.has("checkout")) return { from: "checkout" };
  return searchParams.has("portal") ? { from: "portal" } : undefined;
}

/** The data for the card form; redirects back to the page if there is nothing to pay. */
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
  const isResume = (form: FormData) => form.get("intent") === "resume";
  return formAction(
    scope,
    async (form) => {
      if (!isResume(form)) {
        return goToPayment(scope, actor, form.get("intent") !== "hosted" && form.get("scripted") === "yes");
      }
      await resumeSubscription(scope.services, actor);
      return backToPage("Subscription resumed", "It continues as before, without interruption.");
    },
    { title: (form) => (isResume(form) ? "Error" : "Subscription Error") },
  );
});

async function goToPayment({ services }: PageArgs, actor: Actor, onOurPage: boolean): Promise<Accepted> {
  const kind = onOurPage ? "element" : "checkout";
  const { status, payment, checkoutUrl } = await createSubscription(services, actor, kind);
  if (payment && onOurPage) return { to: withQuery(appPaths.subscription, { pay: "1" }) };
  if (payment?.hostedUrl || checkoutUrl) return { to: appPaths.stripeRedirect("payment") };
  return backToPage("There is nothing to pay", `Your subscription: ${STATUS_TEXT[status]}.`);
}

const backToPage = (title: string, description: string): Accepted => ({
  to: appPaths.subscription,
  flash: { tone: "success", title, description },
});

export const clientAction = keepWhatWasTyped;

export default function Subscription() {
  const loaded = useLoaderData<typeof loader>();
  const answer = useActionData<FormAnswer>();
  return loaded && <SubscriptionPage {...loaded} answer={answer} />;
}
