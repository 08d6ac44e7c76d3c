import type { Route } from "../routes";
import { type Desk, find } from "./desk";
import { endpoint } from "./endpoint";
import { invalid } from "./errors";
import { mapAt, type Params, textAt } from "./form";
import { LIST_TAKES, listPage, matching, SEARCH_TAKES, searchPage } from "./lists";
import type { Customer } from "./objects";
import { attachPaymentMethod, createPaymentMethod, namedPaymentMethod } from "./payments";
import { cancelNow } from "./subscriptions";
import { view } from "./views";

const FIELDS = ["name", "email", "metadata", "invoice_settings", "address", "phone", "description", "tax_id_data"];

export function customerRoutes(desk: Desk): Route[] {
  const { state } = desk;

  return [
    endpoint(desk, "POST /customers", [...FIELDS, "test_clock", "payment_method"], ({ params }) => {
      const clock = textAt(params, "test_clock");
      if (clock) find(desk, "clocks", clock, "test_clock");
      const customer: Customer = {
        id: desk.newId("cus"),
        object: "customer",
        created: clock ? (desk.state.clocks[clock]?.frozen_time ?? desk.nowOf()) : desk.nowOf(),
        name: null,
        email: null,
        metadata: {},
        invoice_settings: { default_payment_method: null },
        test_clock: clock ?? null,
        livemode: false,
      };
      changeCustomer(customer, params);
      desk.state.customers[customer.id] = customer;
      const method = textAt(params, "payment_method");
      if (method) attachPaymentMethod(desk, namedPaymentMethod(desk, method), customer.id);
      desk.events.emit("customer.created", view(desk, customer), customer.created);
      return customer;
    }),
    endpoint(desk, "GET /customers/search", SEARCH_TAKES, (asked) =>
      searchPage(desk, living(desk), asked, "/v1/customers/search"),
    ),
    endpoint(desk, "GET /customers", [...LIST_TAKES, "email"], (asked) => {
      const rows = matching(state.customers, asked, "email").filter((customer) => !customer.deleted);
      return listPage(desk, rows, asked, "/v1/customers");
    }),
    // A deleted customer is still returned: its id, and that it is deleted.
    endpoint(
      desk,
      "GET /customers/:id",
      [],
      ({ path: { id = "" } }) => state.customers[id] ?? find(desk, "customers", id),
    ),
    endpoint(desk, "DELETE /customers/:id", [], ({ path }) => deleteCustomer(desk, path.id ?? "")),
    endpoint(desk, "GET /customers/:id/payment_methods", [...LIST_TAKES, "type"], (asked) => {
      const { id } = find(desk, "customers", asked.path.id ?? "");
      const rows = matching(state.paymentMethods, asked, "type").filter((method) => method.customer === id);
      return listPage(desk, rows, asked, `/v1/customers/${id}/payment_methods`);
    }),
    endpoint(desk, "GET /payment_methods", [...LIST_TAKES, "customer", "type"], (asked) =>
      listPage(desk, matching(state.paymentMethods, asked, "customer", "type"), asked, "/v1/payment_methods"),
    ),
    endpoint(desk, "POST /payment_methods/:id/detach", [], ({ path }) => {
      const method = find(desk, "paymentMethods", path.id ?? "");
      if (!method.customer) throw invalid("The payment method you provided is not attached to a customer.");
      const { customer } = method;
      method.customer = null;
      desk.events.emit("payment_method.detached", view(desk, method), desk.nowOf(customer));
      return method;
    }),
    endpoint(desk, "POST /customers/:id", FIELDS, ({ params, path }) => {
      const customer = find(desk, "customers", path.id ?? "");
      const before = JSON.stringify(customer);
      changeCustomer(customer, params);
      if (JSON.stringify(customer) !== before) {
        desk.events.emit("customer.updated", view(desk, customer), desk.nowOf(customer.id));
      }
      return customer;
    }),
    endpoint(desk, "POST /payment_methods", ["type", "card", "billing_details", "metadata"], ({ params }) =>
      createPaymentMethod(desk, typedCard(params, "card")),
    ),
    endpoint(desk, "GET /payment_methods/:id", [], ({ path }) => find(desk, "paymentMethods", path.id ?? "")),
    endpoint(desk, "POST /payment_methods/:id/attach", ["customer"], ({ params, path }) => {
      const method = namedPaymentMethod(desk, path.id ?? "");
      attachPaymentMethod(desk, method, find(desk, "customers", textAt(params, "customer") ?? "", "customer").id);
      return method;
    }),
  ];
}

const living = ({ state }: Desk): Customer[] => Object.values(state.customers).filter(({ deleted }) => !deleted);

/** Ends a customer and its subscriptions; it cannot be undone. */
function deleteCustomer(desk: Desk, id: string): Customer {
  const customer = find(desk, "customers", id);
  for (const subscription of Object.values(desk.state.subscriptions)) {
    const isOver = subscription.status === "canceled" || subscription.status === "incomplete_expired";
    if (subscription.customer === id && !isOver) cancelNow(desk, subscription);
  }
  const before = view(desk, customer);
  customer.deleted = true;
  desk.events.emit("customer.deleted", before, desk.nowOf(id));
  return customer;
}

function changeCustomer(customer: Customer, params: Params): void {
  for (const name of ["name", "email"] as const) {
    const value = textAt(params, name);
    if (value !== undefined) customer[name] = value || null;
  }
  Object.assign(customer.metadata, mapAt(params, "metadata"));
  const method = textAt(params, "invoice_settings", "default_payment_method");
  if (method !== undefined) customer.invoice_settings.default_payment_method = method || null;
}

/** A typed card under `payment_method_data[card]` and similar. */
export function typedCard(params: Params, ...path: string[]) {
  return {
    number: textAt(params, ...path, "number") ?? "",
    expMonth: Number(textAt(params, ...path, "exp_month")),
    expYear: Number(textAt(params, ...path, "exp_year")),
    cvc: textAt(params, ...path, "cvc") ?? "",
  };
}
