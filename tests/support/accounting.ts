import { releaseLease } from "@db/lease";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import { beginConsent, chooseLedger, connectSystem, returnUrlOf } from "~/modules/connections/connect.server";
import type { Actor } from "~/services-and-actor";

import { FIRST_FILE } from "../../simulators/myob/state";
import { FIRST_TENANT } from "../../simulators/xero/state";
import type { World } from "./simulators";

type Consent = { fields: string[][]; writesNotes?: boolean; withoutScopes?: readonly string[] };

/** A person answers the consent page of the simulator with these fields, and comes back. */
async function consent(world: World, actor: Actor, system: ConnectableSystem, asked: Consent) {
  const { fields, writesNotes, withoutScopes = [] } = asked;
  const { address: asks, kept } = await beginConsent(world, system, writesNotes);
  const address = withoutScopes.reduce((url, scope) => url.replace(`+${scope}`, ""), asks);
  const form = new URLSearchParams([...fields, ["answer", "allow"]]);
  const answer = await world.ask(new Request(address, { method: "POST", body: form }));
  const query = new URL(answer.headers.get("location") ?? "").searchParams;
  const returned = {
    code: query.get("code") ?? "",
    codeVerifier: kept.codeVerifier,
    returnUrl: returnUrlOf(world, system),
    query,
  };
  return connectSystem(world, actor, { system, returned, writesNotes });
}

/** A person connects these organisations of Xero, and reads from the first. */
export async function connectXero(
  world: World,
  actor: Actor,
  tenantIds: readonly string[] = [FIRST_TENANT],
  asked: Omit<Consent, "fields"> = {},
) {
  const fields = tenantIds.map((id) => ["tenantId", id]);
  const { needsChoice } = await consent(world, actor, "xero", { ...asked, fields });
  if (needsChoice) await chooseLedger(world, actor, "xero", tenantIds[0] ?? "");
}

/** A person connects a company file of MYOB. Clears the rate-limit turns left by a test with another clock. */
export async function connectMyob(world: World, actor: Actor) {
  await releaseLease(world.db, "accounting-turns:myob", "turns");
  return consent(world, actor, "myob", { fields: [["businessId", FIRST_FILE]] });
}

const nthId = (nth: number) => `c0000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;

/** The suppliers that the simulated Xero begins with. */
export const XERO_CONTACTS = { wattle: nthId(1), kookaburra: nthId(2), ironbark: nthId(3), bluegum: nthId(4) } as const;

/** A person edits a supplier inside Xero. */
export const editInXero = (world: World, contactId: string, fields: Record<string, string>) =>
  world.visit(`/xero/contacts/${contactId}`, fields);

/** A person adds a supplier inside Xero. */
export const addInXero = (world: World, fields: Record<string, string>) => world.visit("/xero/contacts", fields);

/** A person enters a bill inside Xero and approves it. */
export async function addBillInXero(world: World, fields: { contactId: string; number: string; amount: string }) {
  const answer = await world.visit("/xero/bills", { ...fields, intent: "approve" });
  return (answer.headers.get("location") ?? "").split("/").at(-1) ?? "";
}

/** A person changes, voids or pays a bill inside Xero. */
export const actOnBill = (world: World, billId: string, fields: Record<string, string>) =>
  world.visit(`/xero/bills/${billId}`, fields);

/** A person reconciles or deletes the first payment of a bill inside Xero. */
export async function actOnPayment(world: World, billId: string, intent: "reconcile" | "delete") {
  const page = await (await world.visit(`/xero/bills/${billId}`)).text();
  const [, paymentId] = /\/xero\/payments\/([^"]+)/.exec(page) ?? [];
  await world.visit(`/xero/payments/${paymentId}`, { intent });
}
