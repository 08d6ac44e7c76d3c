import type { ConnectableSystem } from "~/kernel/accounting-system";
import type { Actor } from "~/kernel/actor";
import { beginConsent, returnUrlOf } from "~/modules/integrations/begin-consent.server";
import { chooseLedger, connectSystem } from "~/modules/integrations/connect.commands.server";
import { FIRST_FILE } from "../../simulators/myob/state";
import { FIRST_TENANT } from "../../simulators/xero/state";
import type { World } from "./simulators";

/** A person answers the consent page of the simulator with these fields, and comes back. */
async function consent(world: World, actor: Actor, system: ConnectableSystem, fields: string[][]) {
  const { address, kept } = await beginConsent(world, system);
  const form = new URLSearchParams([...fields, ["answer", "allow"]]);
  const answer = await world.ask(new Request(address, { method: "POST", body: form }));
  const query = new URL(answer.headers.get("location") ?? "").searchParams;
  const returned = {
    code: query.get("code") ?? "",
    codeVerifier: kept.codeVerifier,
    returnUrl: returnUrlOf(world, system),
    query,
  };
  return connectSystem(world, actor, { system, returned });
}

/** A person connects these organisations of Xero, and reads from the first. */
export async function connectXero(world: World, actor: Actor, tenantIds: readonly string[] = [FIRST_TENANT]) {
  const { needsChoice } = await consent(
    world,
    actor,
    "xero",
    tenantIds.map((id) => ["tenantId", id]),
  );
  if (needsChoice) await chooseLedger(world, actor, "xero", tenantIds[0] ?? "");
}

/** A person connects a company file of MYOB. */
export const connectMyob = (world: World, actor: Actor) => consent(world, actor, "myob", [["businessId", FIRST_FILE]]);

const nthId = (nth: number) => `c0000000-0000-4000-8000-${String(nth).padStart(12, "0")}`;

/** The suppliers that the simulated Xero begins with. */
export const XERO_CONTACTS = { wattle: nthId(1), kookaburra: nthId(2), ironbark: nthId(3), bluegum: nthId(4) } as const;

/** A person edits a supplier inside Xero. */
export const editInXero = (world: World, contactId: string, fields: Record<string, string>) =>
  world.visit(`/xero/contacts/${contactId}`, fields);

/** A person adds a supplier inside Xero. */
export const addInXero = (world: World, fields: Record<string, string>) => world.visit("/xero/contacts", fields);
