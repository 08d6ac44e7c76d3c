import type { Grants } from "../accounting/grants";
import { html, page } from "../html";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";
import type { MyobState, Supplier } from "./state";

const SHOWN = 200;
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } });

/** What a person does inside MYOB: keep suppliers, and let apps in or out. MYOB tells nobody of a change. */
export function pageRoutes(state: MyobState, context: SimulatorContext, grants: Grants): Route[] {
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
    route("GET", "", () => overviewPage(state)),
    route("POST", "/suppliers", (call) => saveSupplier(call, {})),
    route("GET", "/suppliers/:uid", (_call, { uid }) => supplierPage(find(uid))),
    route("POST", "/suppliers/:uid", saveSupplier),
    route("POST", "/grants/:id/revoke", revokeGrant),
  ];
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

function overviewPage(state: MyobState): Response {
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
