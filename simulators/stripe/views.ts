import type { Desk } from "./desk";
import type { Customer, Invoice, PaymentIntent, PaymentMethod, Subscription } from "./objects";
import { priceOf, taxRateOf } from "./state";

/** Objects as the wire shows them: ids in place of other objects, unless `expand` asked for them. */

type Wire = Record<string, unknown>;

export function listOf(data: readonly unknown[], url: string, hasMore = false): Wire {
  return { object: "list", data, has_more: hasMore, url };
}

function invoiceView(desk: Desk, invoice: Invoice): Wire {
  const { payment, ...rest } = invoice;
  const subscription = invoice.parent.subscription_details.subscription;
  const [tax] = invoice.total_taxes;
  return {
    ...rest,
    account_country: "AU",
    account_name: "PayeeProof",
    customer_email: desk.state.customers[invoice.customer]?.email ?? null,
    customer_name: desk.state.customers[invoice.customer]?.name ?? null,
    default_payment_method: null,
    lines: listOf(
      [
        {
          id: `il_${invoice.id.slice(3)}`,
          object: "line_item",
          amount: invoice.total,
          currency: invoice.currency,
          description: "1 × PayeeProof Standard (at $500.00 / month)",
          period: { start: invoice.period_start, end: invoice.period_end },
          quantity: 1,
          subscription,
          taxes: tax ? [tax] : [],
        },
      ],
      `/v1/invoices/${invoice.id}/lines`,
    ),
  };
}

function subscriptionView({ items, default_tax_rates, ...rest }: Subscription): Wire {
  return {
    ...rest,
    default_tax_rates: default_tax_rates.map(taxRateOf),
    items: listOf(
      items.map((item) => ({ ...item, price: priceOf(item.price), subscription: rest.id })),
      `/v1/subscription_items?subscription=${rest.id}`,
    ),
  };
}

const without = (object: object, ...names: string[]): Wire =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** One object, unexpanded. */
export function view(desk: Desk, object: object): Wire {
  switch ((object as { object?: string }).object) {
    case "invoice":
      return invoiceView(desk, object as Invoice);
    case "subscription":
      return subscriptionView(object as Subscription);
    case "payment_method":
      return without(object as PaymentMethod, "behaviour");
    case "payment_intent":
      return without(object as PaymentIntent, "invoice");
    case "customer":
      return "deleted" in object ? { id: (object as Customer).id, object: "customer", deleted: true } : { ...object };
    case "checkout.session":
      return without(object, "order", "waitingCard");
    default:
      return { ...object };
  }
}

/** Looks up an object by its id, whose prefix says what it is. */
function resolve(desk: Desk, id: string): object | undefined {
  const { state } = desk;
  const tables: Record<string, Record<string, object>> = {
    cus: state.customers,
    pm: state.paymentMethods,
    sub: state.subscriptions,
    in: state.invoices,
    pi: state.paymentIntents,
    ch: state.charges,
  };
  return tables[id.split("_")[0] ?? ""]?.[id];
}

/** Parts of an object that are left out unless they are expanded. */
function includable(desk: Desk, shown: Wire, name: string): unknown {
  if (shown.object === "invoice") {
    const invoice = desk.state.invoices[String(shown.id)];
    const payment = invoice?.payment ? desk.state.paymentIntents[invoice.payment] : undefined;
    if (name === "confirmation_secret") {
      return payment && invoice?.status !== "draft"
        ? { client_secret: payment.client_secret, type: "payment_intent" }
        : null;
    }
    if (name === "payments") return listOf(payment ? [invoicePayment(shown, payment)] : [], "/v1/invoice_payments");
  }
  if (shown.object === "charge" && name === "refunds") {
    const refunds = Object.values(desk.state.refunds).filter((refund) => refund.charge === shown.id);
    return listOf(refunds, `/v1/charges/${String(shown.id)}/refunds`);
  }
  return undefined;
}

function invoicePayment(invoice: Wire, payment: PaymentIntent): Wire {
  return {
    id: `inpay_${payment.id.slice(3)}`,
    object: "invoice_payment",
    amount_paid: payment.status === "succeeded" ? payment.amount : null,
    amount_requested: payment.amount,
    currency: payment.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { type: "payment_intent", payment_intent: payment.id },
    status: payment.status === "succeeded" ? "paid" : payment.status === "canceled" ? "canceled" : "open",
  };
}

/** Follows one path, `latest_invoice.confirmation_secret`, replacing ids by their objects on the way. */
function expandPath(desk: Desk, shown: Wire, [name, ...rest]: string[]): void {
  if (name === undefined) return;
  const value = includable(desk, shown, name) ?? shown[name];
  if (Array.isArray(value)) {
    for (const item of value) if (item && typeof item === "object") expandPath(desk, item as Wire, rest);
    return;
  }
  const found = typeof value === "string" ? resolve(desk, value) : undefined;
  const next = found ? view(desk, found) : value;
  shown[name] = next ?? null;
  if (next && typeof next === "object") expandPath(desk, next as Wire, rest);
}

/** An object for an answer, with everything that `expand` names. */
export function present(desk: Desk, object: object, expand: readonly string[] = []): Wire {
  const shown = view(desk, object);
  for (const path of expand) expandPath(desk, shown, path.split("."));
  return shown;
}
