import { html, page, seeOther } from "../html";
import type { SimulatedCall } from "../party";
import { type Route, route } from "../routes";
import { type Desk, find } from "./desk";
import { Refusal } from "./errors";
import { payInvoice, settleInvoice } from "./invoices";
import type { CheckoutSession, Invoice, PaymentIntent, PaymentMethod } from "./objects";
import { cardFields, cardIn, day, dollars, formOf, problemBox } from "./page-parts";
import { attemptPayment, createPaymentMethod, decline, refusalOf } from "./payments";
import { openSubscription } from "./subscriptions";
import type { Behaviour } from "./test-cards";
import { view } from "./views";

/** The provider's own pages on which a person pays: checkout, an invoice, and the bank that asks (3-D Secure). */
export function hostedRoutes(desk: Desk): Route[] {
  return [...checkoutRoutes(desk), ...invoiceRoutes(desk), ...bankRoutes(desk)];
}

/** Runs a step of a page; a refusal is shown on that page. */
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

/** What happens on the hosted pages when a person pays. */

/** Pays a checkout with a card; "bank" when its bank must be asked first. @throws Refusal card_error */
function payCheckout(desk: Desk, session: CheckoutSession, method: PaymentMethod): "paid" | "bank" {
  const behaviour = method.behaviour as Behaviour;
  if (behaviour === "authenticate_once" || behaviour === "authenticate_always") {
    session.waitingCard = method.id;
    return "bank";
  }
  const refused = refusalOf(behaviour, "charge");
  if (refused) throw new Refusal(402, "card_error", refused.message, refused);
  completeCheckout(desk, session, method);
  return "paid";
}

/** The subscription is created only now that the payment is certain. */
function completeCheckout(desk: Desk, session: CheckoutSession, method: PaymentMethod): void {
  const { subscription, invoice } = openSubscription(desk, {
    customer: session.customer,
    price: session.order.price,
    taxRates: session.order.taxRates,
    metadata: session.order.metadata,
    saveCard: true,
    defaultPaymentMethod: null,
  });
  payInvoice(desk, invoice, method, { offSession: false, authenticated: true });
  Object.assign(session, {
    status: "complete",
    payment_status: "paid",
    subscription: subscription.id,
    invoice: invoice.id,
    url: null,
    waitingCard: null,
  });
  desk.events.emit("checkout.session.completed", view(desk, session), desk.nowOf(session.customer));
}

/** The bank's answer to a payment that waits for it. */
function answerBank(desk: Desk, payment: PaymentIntent, isConfirmed: boolean): void {
  const invoice = find(desk, "invoices", payment.invoice);
  const method = find(desk, "paymentMethods", payment.payment_method ?? "");
  if (payment.status !== "requires_action") return;
  if (isConfirmed) {
    settleInvoice(desk, invoice, attemptPayment(desk, payment, method, { offSession: false, authenticated: true }));
    return;
  }
  decline(desk, payment, method, {
    type: "card_error",
    code: "payment_intent_authentication_failure",
    message:
      "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
  });
  settleInvoice(desk, invoice, "declined");
}

/** Where a person goes after the bank: the merchant's address with what the provider adds to it. */
function returnAddress(payment: PaymentIntent, returnUrl: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set("payment_intent", payment.id);
  url.searchParams.set("payment_intent_client_secret", payment.client_secret);
  url.searchParams.set("redirect_status", payment.status === "succeeded" ? "succeeded" : "failed");
  return url.toString();
}

const isPayable = (invoice: Invoice) => invoice.status === "open" && invoice.payment !== null;

/** A one-page PDF, small enough to be written by hand (ISO 32000-1, 7.5): objects, their table, a trailer. */
function drawInvoice(invoice: Invoice): Response {
  const lines = [
    "Tax invoice (simulated)",
    `Number ${invoice.number ?? "draft"}`,
    `${day(invoice.period_start)} to ${day(invoice.period_end)}`,
    `Total ${dollars(invoice.total)} including GST ${dollars(invoice.total_taxes[0]?.amount ?? 0)}`,
    `Status ${invoice.status}`,
  ];
  const text = lines
    .map((line, i) => `BT /F1 14 Tf 60 ${760 - i * 24} Td (${line.replace(/[()\\]/g, "\\$&")}) Tj ET`)
    .join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, i) => {
    const offset = body.length;
    body += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return new Response(body, {
    headers: {
      "content-type": "application/pdf",
      "content-disposition": `inline; filename="invoice-${invoice.number ?? invoice.id}.pdf"`,
    },
  });
}
