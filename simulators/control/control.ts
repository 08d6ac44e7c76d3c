import type { Hono } from "hono";
import type { CallEnv, Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";
import { parseFault } from "./fault-form";
import type { Faults } from "./faults";
import type { Ledger } from "./ledger";
import { faultsPage, frontPage, ledgerPage } from "./pages";

/** The pages and calls that belong to no party: front page, health, faults, ledger. */
export function createControl(
  context: SimulatorContext,
  parties: readonly Party[],
  faults: Faults,
  ledger: Ledger,
): Hono<CallEnv> {
  const names = parties.map((party) => party.name);
  const chosenParty = (call: SimulatedCall) => call.url.searchParams.get("party") || undefined;

  function addFault(call: SimulatedCall): Response {
    const contentType = call.request.headers.get("content-type");
    const isJson = contentType?.includes("json");
    const parsed = parseFault(contentType, call.body, names);
    if ("problem" in parsed) {
      return isJson
        ? Response.json({ message: parsed.problem }, { status: 400 })
        : faultsPage(faults, parties, parsed.problem);
    }
    faults.add(parsed.fault);
    return isJson ? Response.json({ faults: faults.list() }, { status: 201 }) : seeOther("/faults");
  }

  function clearFaults(answer: Response): Response {
    faults.clear();
    return answer;
  }

  return createRoutes([
    route("GET", "/", () => frontPage(parties, context)),
    route("GET", "/healthz", () => Response.json({ ok: true })),
    route("GET", "/faults", () => faultsPage(faults, parties)),
    route("GET", "/faults.json", () => Response.json(faults.list())),
    route("POST", "/faults", addFault),
    route("POST", "/faults/clear", () => clearFaults(seeOther("/faults"))),
    route("DELETE", "/faults", () => clearFaults(new Response(null, { status: 204 }))),
    route("GET", "/ledger", (call) => ledgerPage(ledger, parties, chosenParty(call))),
    route("GET", "/ledger.json", (call) => Response.json(ledger.list(chosenParty(call)))),
  ]);
}

function seeOther(location: string): Response {
  return new Response(null, { status: 303, headers: { location } });
}
