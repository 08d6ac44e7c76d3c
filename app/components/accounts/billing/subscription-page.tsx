import type { Stripe, StripeConstructor, StripeElements, Stripe as StripeProvider } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Form, type FormAnswer, HiddenFields, Refusal, SubmitButton } from "~/components/forms/form";
import { toasts } from "~/components/layout/toast-store";
import { ListCard } from "~/components/tables/list-card";
import {
  Badge,
  Button,
  buttonClass,
  Callout,
  type CalloutTone,
  Icon,
  Spinner,
  type Tone,
} from "~/components/ui/elements";
import { Card, PageHeader, Time } from "~/components/ui/page-parts";
import { useHydrated } from "~/components/use-hydrated";
import type { BillingStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { PLAN } from "~/modules/accounts/billing/subscription";
import { OUTCOME_TEXT, type PaymentOutcome, type SubscriptionView } from "~/modules/accounts/billing/subscription.view";
import { StatusCard } from "./status-card";

type State = "loading" | "ready" | "unavailable";
type Problem = { title: string; message: string };

/** Long enough for a slow connection; then the person is offered the provider's page. */
const LOAD_TIMEOUT_MS = 15_000;

/**
 * The provider's payment element in one of our containers: its state, and `confirm`, which leaves the page on success.
 *
 * @param returnUrl where the provider sends the person back to
 */
function usePaymentElement(
  place: RefObject<HTMLElement>,
  { publishableKey, standInScript }: ProviderPlace,
  clientSecret: string,
) {
  const provider = useRef<{ stripe: Stripe; elements: StripeElements }>();
  const [state, setState] = useState<State>("loading");
  const [isPaying, setIsPaying] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  useEffect(() => {
    let isGone = false;
    let unmount = () => {};
    const giveUp = () => !isGone && setState((now) => (now === "loading" ? "unavailable" : now));
    const timer = setTimeout(giveUp, LOAD_TIMEOUT_MS);
    loadProvider({ publishableKey, standInScript }).then((stripe) => {
      if (isGone || !place.current) return;
      const isDark = getComputedStyle(document.documentElement).colorScheme === "dark" || prefersDark();
      const elements = stripe.elements({ clientSecret, appearance: { theme: isDark ? "night" : "stripe" } });
      const element = elements.create("payment");
      element.on("ready", () => setState("ready"));
      element.on("loaderror", giveUp);
      element.mount(place.current);
      unmount = () => element.destroy();
      provider.current = { stripe, elements };
    }, giveUp);
    return () => {
      isGone = true;
      clearTimeout(timer);
      unmount();
    };
  }, [place, publishableKey, standInScript, clientSecret]);

  async function confirm(returnUrl: string): Promise<void> {
    if (!provider.current || isPaying) return;
    setIsPaying(true);
    setProblem(undefined);
    const { stripe, elements } = provider.current;
    // Returns only with an error; otherwise the browser is leaving for the return address.
    const { error } = await stripe.confirmPayment({ elements, confirmParams: { return_url: returnUrl } });
    const isAboutCard = error.type === "card_error" || error.type === "validation_error";
    setProblem({
      title: isAboutCard ? "Payment Failed" : "Payment Error",
      message: error.message ?? "An unexpected error occurred.",
    });
    setIsPaying(false);
  }

  return { state, isPaying, problem, confirm };
}

function prefersDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined && matchMedia("(prefers-color-scheme: dark)").matches;
}

interface PaymentFormProps {
  place: ProviderPlace;
  clientSecret: string;
  /** "$500.00" */
  amount: string;
  /** Where the provider sends the person back to: this page. */
  returnUrl: string;
}

/** The card form: the provider's element in its own frame; if it cannot load, a link to the provider's page. */
function PaymentForm({ place, clientSecret, amount, returnUrl }: PaymentFormProps) {
  const box = useRef<HTMLDivElement>(null);
  const hydrated = useHydrated();
  const { state, isPaying, problem, confirm } = usePaymentElement(box, place, clientSecret);
  useEffect(() => {
    if (problem) toasts.show({ tone: "error", title: problem.title, description: problem.message });
  }, [problem]);
  const isShown = hydrated && state !== "unavailable";
  return (
    <Card
      title="Payment"
      description={`${amount} now, then every month until you cancel. You enter the card in Stripe's form; we never see it.`}
    >
      {isShown && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            confirm(returnUrl);
          }}
        >
          {problem && (
            <Callout tone="danger" title={problem.title} role="alert" className="mb-5">
              <p>{problem.message}</p>
            </Callout>
          )}
          {state === "loading" && (
            <p role="status" className="flex items-center gap-2 text-base text-ink-soft">
              <Spinner className="size-4" /> Loading the card form
            </p>
          )}
          <div ref={box} className={state === "loading" ? "sr-only" : "min-h-56"} />
          {state === "ready" && (
            <Button type="submit" size="lg" icon="lock" pending={isPaying} pendingText="Paying..." className="mt-5">
              Pay {amount}
            </Button>
          )}
        </form>
      )}
      {state === "unavailable" && (
        <Callout tone="warning" title="The card form could not be loaded" role="alert" className="mb-5">
          <p>
            Your browser or network may be blocking it. Nothing was charged. You can pay on Stripe's own page instead.
          </p>
        </Callout>
      )}
      <HostedPayment isMainWay={!isShown} />
    </Card>
  );
}

/** A link to the provider's own page: beside the card form, or in place of it. */
function HostedPayment({ isMainWay }: { isMainWay: boolean }) {
  return (
    <Form method="post" action={appPaths.subscription} reloadDocument className={isMainWay ? undefined : "mt-6"}>
      <HiddenFields values={{ intent: "hosted" }} />
      <SubmitButton
        variant={isMainWay ? "primary" : "quiet"}
        size={isMainWay ? "lg" : "sm"}
        icon="external"
        pendingText="Opening..."
      >
        Pay on Stripe's page
      </SubmitButton>
    </Form>
  );
}

const LOOKS: Record<BillingStatus, { tone: Tone; word: string }> = {
  open: { tone: "pending", word: "Open" },
  paid: { tone: "verified", word: "Paid" },
  failed: { tone: "review", word: "Failed" },
  void: { tone: "neutral", word: "Void" },
  refunded: { tone: "info", word: "Refunded" },
};

/** Every invoice with its GST and its PDF. */
function InvoiceTable({ invoices }: { invoices: SubscriptionView["invoices"] }) {
  return (
    <ListCard
      label="Invoices"
      caption="Invoices, newest first"
      title="Invoices"
      rows={invoices}
      columns={[
        { head: "Number", cell: (invoice) => <span className="figures font-medium">{invoice.number}</span> },
        { head: "Date", cell: ({ date }) => <Time dateTime={date.iso} exact={date.text} /> },
        { head: "For", cell: (invoice) => invoice.description },
        { head: "Status", cell: ({ status }) => <Badge tone={LOOKS[status].tone}>{LOOKS[status].word}</Badge> },
        { head: "Of which GST", align: "right", cell: (invoice) => invoice.taxAmount },
        { head: "Total", align: "right", cell: (invoice) => invoice.amount },
        {
          head: "PDF",
          actions: true,
          cell: (invoice) => (
            <a
              href={appPaths.invoice(invoice.id)}
              className="inline-flex min-h-6 items-center gap-1 text-accent-text underline underline-offset-2"
            >
              <Icon name="download" className="size-4" />
              PDF<span className="sr-only"> of invoice {invoice.number}</span>
            </a>
          ),
        },
      ]}
      empty={{ icon: "file", title: "No invoices yet", children: "Each month's tax invoice appears here." }}
    />
  );
}

export interface SubscriptionPageProps {
  view: SubscriptionView;
  /** The result of the payment from which the person has just returned. */
  outcome: PaymentOutcome | null;
  /** The card form, once the person has chosen to pay. */
  payment: PaymentFormProps | null;
  answer?: FormAnswer;
}

const OUTCOME_TONE: Record<PaymentOutcome, CalloutTone> = {
  succeeded: "success",
  processing: "info",
  requires_payment_method: "danger",
  other: "danger",
};

/** The organisation's subscription: its state, its price, the card on file, and every invoice. */
export function SubscriptionPage({ view, outcome, payment, answer }: SubscriptionPageProps) {
  return (
    <>
      <PageHeader title="Subscription" description="One plan for your whole organisation." />
      <div className="grid gap-6">
        {answer && (
          <Callout tone="danger" title={answer.title} role="alert">
            <p>
              <Refusal>{answer.formErrors.join(" ")}</Refusal>
            </p>
          </Callout>
        )}
        {outcome && (
          <Callout
            tone={OUTCOME_TONE[outcome]}
            title={OUTCOME_TEXT[outcome]}
            role={outcome === "succeeded" || outcome === "processing" ? "status" : "alert"}
          />
        )}
        <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
          <div className="grid gap-6">
            {payment ? <PaymentForm {...payment} /> : <StatusCard view={view} />}
            {!payment && <CardOnFile view={view} />}
          </div>
          <PlanCard />
        </div>
        <InvoiceTable invoices={view.invoices} />
      </div>
    </>
  );
}

/** The card on file, and the provider's portal for changing it. Plain links, because they leave the site. */
function CardOnFile({ view: { card, hasPortal } }: { view: SubscriptionView }) {
  if (!card && !hasPortal) return null;
  return (
    <Card title="Payment method" description="Cards and billing details are kept by Stripe.">
      {card?.isExpiring && (
        <Callout tone="warning" title="This card expires soon" className="mb-4">
          <p>Change it before it expires to avoid an interruption.</p>
        </Callout>
      )}
      {card ? (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
          <Icon name="card" className="text-ink-soft" />
          <span className="font-medium">{card.name}</span>
          <span className="figures text-ink-soft">expires {card.expires}</span>
        </p>
      ) : (
        <p className="text-base text-ink-soft">No card is on file yet.</p>
      )}
      {hasPortal && (
        <div className="mt-5 flex flex-wrap gap-2">
          <a href={appPaths.stripeRedirect("card")} className={buttonClass("secondary")}>
            {card ? "Change card" : "Add a card"}
          </a>
          <a href={appPaths.stripeRedirect("portal")} className={buttonClass("quiet")}>
            Billing portal
          </a>
        </div>
      )}
    </Card>
  );
}

function PlanCard() {
  return (
    <Card title={PLAN.name}>
      <p className="figures font-medium text-3xl tracking-[-0.03em]">{formatAud(PLAN.amount)}</p>
      <p className="mt-1 text-base text-ink-soft">AUD per month, including GST of {formatAud(PLAN.taxAmount)}</p>
      <ul className="mt-5 grid gap-2.5">
        {PLAN.includes.map(({ text, note }) => (
          <li key={text} className="flex gap-2.5 text-base">
            <Icon name="check" className="mt-0.5 size-4.5 text-accent-text" />
            <span>
              {text}
              {note && <span className="block text-ink-soft text-sm">{note}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type ProviderPlace = {
  publishableKey: string;
  /** The address of a simulated script on a developer's machine; null: the provider's own. */
  standInScript: string | null;
};

/** Loads the provider's script. Rejects when it cannot be loaded. */
async function loadProvider({ publishableKey, standInScript }: ProviderPlace): Promise<StripeProvider> {
  if (standInScript === null) {
    const provider = await loadStripe(publishableKey);
    if (!provider) throw new Error("the provider's script did not load");
    return provider;
  }
  await loadScript(standInScript);
  const { Stripe } = window as { Stripe?: StripeConstructor };
  if (!Stripe) throw new Error("the simulated card form did not load");
  return Stripe(publishableKey);
}

function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = src;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`${src} did not load`)));
    document.head.appendChild(script);
  });
}
