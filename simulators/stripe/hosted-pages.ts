import { html, page } from "../html";
import type { SimulatedCall } from "../party";
import { type Route, route } from "../routes";
import { answerBank, completeCheckout, isPayable, payCheckout, returnAddress } from "./checkout";
import { type Desk, find } from "./desk";
import { Refusal } from "./errors";
import { payInvoice } from "./invoices";
import type { CheckoutSession, Invoice } from "./objects";
import { cardFields, cardIn, day, dollars, formOf, problemBox, seeOther } from "./page-parts";
import { createPaymentMethod } from "./payments";
import { drawInvoice } from "./pdf";

/** The provider's own pages on which a person pays: checkout, an invoice, and the bank that asks (3-D Secure). */
export function hostedRoutes(desk: Desk): Route[] {
  return [...checkoutRoutes(desk), ...invoiceRoutes(desk), ...bankRoutes(desk)];
}

/** Runs a step of a page; a refusal is drawn where the person is. */
function step(desk: Desk, run: () => Response, redraw: (problem: string) => Response): Response {
  try {
    const answer = run();
    desk.context.save();
    return answer;
  } catch (error) {
    if (error instanceof Refusal) return redraw(error.message);
    throw error;
  }
}

const gone = (problem: string) => page("Not found", html`<p>${problem}</p>`, 404);

type Handler = (call: SimulatedCall, path: Record<string, string>) => Response;

const hosted = (desk: Desk) => (method: string, pattern: string, run: Handler) =>
  route(method, pattern, (call, path) => step(desk, () => run(call, path), gone));

function checkoutRoutes(desk: Desk): Route[] {
  const on = hosted(desk);
  const checkoutOf = (path: Record<string, string>) => find(desk, "checkoutSessions", path.id ?? "");
  return [
    on("GET", "/checkout/:id", (_, path) => checkoutPage(checkoutOf(path))),
    on("POST", "/checkout/:id", (call, path) => {
      const session = checkoutOf(path);
      return step(
        desk,
        () => pay(desk, call, session),
        (problem) => checkoutPage(session, problem),
      );
    }),
    on("GET", "/checkout/:id/bank", () => bankPage()),
    on("POST", "/checkout/:id/bank", (call, path) => answerCheckoutBank(desk, call, checkoutOf(path))),
  ];
}

const done = (session: CheckoutSession) =>
  seeOther(session.success_url.replaceAll("{CHECKOUT_SESSION_ID}", session.id));

function checkoutPage(session: CheckoutSession, problem?: string): Response {
  if (session.status !== "open") {
    return page(
      "Checkout",
      html`<p>This checkout is ${session.status}. <a href="${session.cancel_url ?? ""}">Back to PayeeProof</a></p>`,
    );
  }
  return page(
    "Checkout",
    html`<p>PayeeProof Standard: <strong>${dollars(session.amount_total)} a month</strong>, GST included</p>
${problemBox(problem)}
<form method="post">${cardFields}<p><button>Subscribe</button> <a href="${session.cancel_url ?? ""}">Back</a></p></form>`,
    problem ? 402 : 200,
  );
}

function pay(desk: Desk, call: SimulatedCall, session: CheckoutSession): Response {
  if (session.status !== "open") return checkoutPage(session);
  const method = createPaymentMethod(desk, cardIn(formOf(call)));
  return payCheckout(desk, session, method) === "paid"
    ? done(session)
    : seeOther(`/stripe/checkout/${session.id}/bank`);
}

function answerCheckoutBank(desk: Desk, call: SimulatedCall, session: CheckoutSession): Response {
  const method = session.waitingCard ? find(desk, "paymentMethods", session.waitingCard) : undefined;
  if (session.status !== "open" || !method) return checkoutPage(session);
  session.waitingCard = null;
  if (formOf(call).get("answer") !== "confirm") {
    return checkoutPage(session, "We are unable to authenticate your payment method.");
  }
  completeCheckout(desk, session, method);
  return done(session);
}

function invoiceRoutes(desk: Desk): Route[] {
  const on = hosted(desk);
  const invoiceOf = (path: Record<string, string>) => find(desk, "invoices", path.id ?? "");
  return [
    on("GET", "/invoice/:id", (_, path) => invoicePage(invoiceOf(path))),
    on("POST", "/invoice/:id", (call, path) => {
      const invoice = invoiceOf(path);
      return step(
        desk,
        () => payHosted(desk, call, invoice),
        (problem) => invoicePage(invoice, problem),
      );
    }),
    on("GET", "/invoice/:id/pdf", (_, path) => drawInvoice(invoiceOf(path))),
  ];
}

function invoicePage(invoice: Invoice, problem?: string): Response {
  return page(
    `Invoice ${invoice.number ?? ""}`,
    html`<p><strong>${dollars(invoice.total)}</strong>, of which GST ${dollars(invoice.total_taxes[0]?.amount ?? 0)}. ${day(invoice.period_start)} to ${day(invoice.period_end)}. ${invoice.status}</p>
${problemBox(problem)}
${isPayable(invoice) ? html`<form method="post">${cardFields}<p><button>Pay ${dollars(invoice.amount_remaining)}</button></p></form>` : undefined}
<p><a href="/stripe/invoice/${invoice.id}/pdf">Download as PDF</a></p>`,
    problem ? 402 : 200,
  );
}

function payHosted(desk: Desk, call: SimulatedCall, invoice: Invoice): Response {
  const method = createPaymentMethod(desk, cardIn(formOf(call)));
  const { attempt, payment } = payInvoice(desk, invoice, method, {
    offSession: false,
    returnUrl: `${desk.base}/invoice/${invoice.id}`,
  });
  if (attempt === "requires_action") return seeOther(payment.next_action?.redirect_to_url.url ?? "");
  return attempt === "succeeded"
    ? seeOther(`/stripe/invoice/${invoice.id}`)
    : invoicePage(invoice, payment.last_payment_error?.message);
}

function bankRoutes(desk: Desk): Route[] {
  const on = hosted(desk);
  return [
    on("GET", "/bank/:id", (call, path) => {
      paymentFor(desk, call, path);
      return bankPage();
    }),
    on("POST", "/bank/:id", (call, path) => {
      const payment = paymentFor(desk, call, path);
      const returnUrl = payment.next_action?.redirect_to_url.return_url ?? desk.context.appOrigin;
      answerBank(desk, payment, formOf(call).get("answer") === "confirm");
      return seeOther(returnAddress(payment, returnUrl));
    }),
  ];
}

/** A payment that waits for its bank, for a caller who knows its secret. */
function paymentFor(desk: Desk, call: SimulatedCall, path: Record<string, string>) {
  const payment = find(desk, "paymentIntents", path.id ?? "");
  if (call.url.searchParams.get("secret") !== payment.client_secret)
    throw new Refusal(404, "invalid_request_error", "No such payment");
  return payment;
}

function bankPage(): Response {
  return page(
    "Your bank",
    html`<p>Your bank asks whether this payment of yours is right (3-D Secure).</p>
<form method="post"><p><button name="answer" value="confirm">Complete authentication</button>
<button class="quiet" name="answer" value="refuse">Fail authentication</button></p></form>`,
  );
}
