import type { Route } from "../routes";
import { type Desk, find } from "./desk";
import { endpoint } from "./endpoint";
import { invalid } from "./errors";
import { mapAt, type Params, textAt } from "./form";
import { LIST_TAKES, listPage, matching } from "./lists";
import type { Customer } from "./objects";
import { attachPaymentMethod, createPaymentMethod, namedPaymentMethod } from "./payments";
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
    endpoint(desk, "GET /customers/search", ["query", "limit", "page"], ({ params, expand }) => {
      const [, key = "", value] = /^metadata\['([^']+)'\]:'([^']*)'$/.exec(textAt(params, "query") ?? "") ?? [];
      if (value === undefined) throw invalid("We were unable to parse your search query.", undefined, "query");
      const rows = Object.values(desk.state.customers).filter((customer) => customer.metadata[key] === value);
      return {
        ...listPage(desk, rows, { params: {}, expand, path: {} }, "/v1/customers/search"),
        object: "search_result",
      };
    }),
    endpoint(desk, "GET /customers", [...LIST_TAKES, "email"], (asked) =>
      listPage(desk, matching(state.customers, asked, "email"), asked, "/v1/customers"),
    ),
    endpoint(desk, "GET /customers/:id", [], ({ path }) => find(desk, "customers", path.id ?? "")),
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

function changeCustomer(customer: Customer, params: Params): void {
  for (const name of ["name", "email"] as const) {
    const value = textAt(params, name);
    if (value !== undefined) customer[name] = value || null;
  }
  Object.assign(customer.metadata, mapAt(params, "metadata"));
  const method = textAt(params, "invoice_settings", "default_payment_method");
  if (method !== undefined) customer.invoice_settings.default_payment_method = method || null;
}

/** A typed card under `payment_method_data[card]` and the like. */
export function typedCard(params: Params, ...path: string[]) {
  return {
    number: textAt(params, ...path, "number") ?? "",
    expMonth: Number(textAt(params, ...path, "exp_month")),
    expYear: Number(textAt(params, ...path, "exp_year")),
    cvc: textAt(params, ...path, "cvc") ?? "",
  };
}
