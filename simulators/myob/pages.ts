import type { Grants } from "../accounting/grants";
import { html, page } from "../html";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import type { MyobBooks, MyobState, Supplier } from "./state";

const SHOWN = 200;
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } });

/** What a person does inside MYOB: keep suppliers and bills, and let apps in or out. MYOB tells nobody of a change. */
export function pageRoutes(
  state: MyobState,
  context: SimulatorContext,
  { grants, books }: { grants: Grants; books: MyobBooks },
): Route[] {
  function saveSupplier({ body }: SimulatedCall, { uid = "" }: Record<string, string>): Response {
    const form = new URLSearchParams(body);
    const known = state.suppliers.find((supplier) => supplier.uid === uid);
    const supplier = known ?? newSupplier(context.randomId(), state.files[0]?.id ?? "");
    if (!known) state.suppliers.push(supplier);
    if (form.get("intent") === "inactive") supplier.isActive = false;
    for (const field of ["name", "email", "bsb", "accountNumber", "accountName", "abn"] as const) {
      supplier[field] = (form.get(field) ?? supplier[field]).trim();
    }
    supplier.lastModified = context.now();
    context.save();
    return seeOther(`/myob/suppliers/${supplier.uid}`);
  }

  function revokeGrant(_call: SimulatedCall, { id = "" }: Record<string, string>): Response {
    grants.revoke(id);
    return seeOther("/myob");
  }

  const find = (uid = "") => state.suppliers.find((supplier) => supplier.uid === uid);
  return [
    ...billRoutes(state, books, context),
    route("GET", "", () => overviewPage(state, books)),
    route("POST", "/suppliers", (call) => saveSupplier(call, {})),
    route("GET", "/suppliers/:uid", (_call, { uid }) => supplierPage(find(uid))),
    route("POST", "/suppliers/:uid", saveSupplier),
    route("POST", "/grants/:id/revoke", revokeGrant),
  ];
}

const centsOf = (text: string | null) => Math.round(Number((text ?? "").replace(/[$,\s]/g, "")) * 100);

function billRoutes(state: MyobState, books: MyobBooks, context: SimulatorContext): Route[] {
  function addBill({ body }: SimulatedCall): Response {
    const form = new URLSearchParams(body);
    const supplier = state.suppliers.find(({ uid }) => uid === form.get("supplierUid"));
    const total = centsOf(form.get("amount"));
    if (!supplier || !(total > 0)) return page("Not added", html`<p>A bill needs a supplier and an amount.</p>`, 400);
    books.lastNumber += 1;
    books.bills.push({
      uid: context.randomId(),
      businessId: supplier.businessId,
      supplierUid: supplier.uid,
      number: String(books.lastNumber).padStart(8, "0"),
      supplierNumber: (form.get("supplierNumber") ?? "").trim(),
      total,
      balance: total,
    });
    context.save();
    return seeOther("/myob");
  }

  /** A deleted bill is gone: MYOB keeps no trace of it. */
  function saveBill({ body }: SimulatedCall, { uid = "" }: Record<string, string>): Response {
    const form = new URLSearchParams(body);
    const bill = books.bills.find((each) => each.uid === uid);
    if (!bill) return page("Not found", html`<p>There is no such bill.</p>`, 404);
    const intent = form.get("intent");
    if (intent === "pay") bill.balance = 0;
    else if (intent === "delete") books.bills = books.bills.filter((each) => each !== bill);
    else if (bill.balance > 0) bill.total = bill.balance = centsOf(form.get("amount"));
    context.save();
    return seeOther("/myob");
  }

  return [route("POST", "/bills", addBill), route("POST", "/bills/:uid", saveBill)];
}

const newSupplier = (uid: string, businessId: string): Supplier => ({
  uid,
  businessId,
  name: "",
  email: "",
  bsb: "",
  accountNumber: "",
  accountName: "",
  abn: "",
  isActive: true,
  lastModified: 0,
});

const fields = (
  supplier?: Supplier,
) => html`<label>Name <input name="name" required size="40" value="${supplier?.name ?? ""}"></label>
<label>Email <input name="email" size="40" value="${supplier?.email ?? ""}"></label>
<label>BSB <input name="bsb" value="${supplier?.bsb ?? ""}"></label>
<label>Bank account number <input name="accountNumber" value="${supplier?.accountNumber ?? ""}"></label>
<label>Bank account name <input name="accountName" size="40" value="${supplier?.accountName ?? ""}"></label>
<label>ABN <input name="abn" value="${supplier?.abn ?? ""}"></label>`;

function billsPart(state: MyobState, books: MyobBooks) {
  const nameOf = (id: string) => state.suppliers.find(({ uid }) => uid === id)?.name ?? "";
  const rows = books.bills.map(
    (bill) =>
      html`<tr><td>${bill.supplierNumber || bill.number}</td><td>${nameOf(bill.supplierUid)}</td><td>${bill.balance > 0 ? "Open" : "Closed"}</td><td><form method="post" action="/myob/bills/${bill.uid}"><input name="amount" value="${(bill.balance / 100).toFixed(2)}"> <button class="quiet">Save</button> <button name="intent" value="pay" class="quiet">Pay</button> <button name="intent" value="delete" class="quiet">Delete</button></form></td></tr>`,
  );
  const suppliers = state.suppliers
    .slice(0, SHOWN)
    .map(({ uid, name }) => html`<option value="${uid}">${name}</option>`);
  return html`<h2>Bills</h2><table><tbody>${rows}</tbody></table>
<h2>Add a bill</h2><form method="post" action="/myob/bills"><label>Supplier <select name="supplierUid">${suppliers}</select></label>
<label>Supplier’s number <input name="supplierNumber"></label><label>Amount <input name="amount" required></label><button>Add</button></form>`;
}

function overviewPage(state: MyobState, books: MyobBooks): Response {
  const suppliers = state.suppliers
    .slice(0, SHOWN)
    .map(
      (each) =>
        html`<tr><td><a href="/myob/suppliers/${each.uid}">${each.name}</a></td><td>${each.bsb} ${each.accountNumber}</td><td>${each.isActive ? "active" : "inactive"}</td></tr>`,
    );
  const living = Object.values(state.grants).filter(({ isRevoked }) => !isRevoked);
  const apps = living.map(
    ({ id }) =>
      html`<li>PayeeProof <form method="post" action="/myob/grants/${id}/revoke"><button class="quiet">Withdraw consent</button></form></li>`,
  );
  return page(
    "MYOB",
    html`<h2>Suppliers</h2><table><tbody>${suppliers}</tbody></table>
<h2>Add a supplier</h2><form method="post" action="/myob/suppliers">${fields()}<button>Add</button></form>
${billsPart(state, books)}
<h2>Connected apps</h2><ul>${apps}</ul>`,
  );
}

function supplierPage(supplier: Supplier | undefined): Response {
  if (!supplier) return page("Not found", html`<p>There is no such supplier.</p>`, 404);
  return page(
    supplier.name,
    html`<p><a href="/myob">All suppliers</a></p><form method="post">${fields(supplier)}<button>Save</button></form>
<form method="post"><button name="intent" value="inactive" class="quiet">Make inactive</button></form>`,
  );
}
