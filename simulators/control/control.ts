import * as z from "zod";
import { seeOther } from "../html";
import type { Party, SimulatedCall, SimulatorContext } from "../party";
import { createRoutes, route } from "../routes";
import { FAULT_KINDS, type Faults } from "./faults";
import type { Ledger } from "./ledger";
import { faultsPage, frontPage, ledgerPage } from "./pages";

const emptyAsMissing = (value: unknown) => (value === "" ? undefined : value);

const faultSchema = z.object({
  party: z.string(),
  fault: z.preprocess((value) => String(value), z.enum(FAULT_KINDS)),
  times: z.preprocess(emptyAsMissing, z.coerce.number().int().min(1).max(1000).default(1)),
  path: z.preprocess(emptyAsMissing, z.string().optional()),
  body: z.preprocess(emptyAsMissing, z.string().optional()),
  retryAfter: z.preprocess(emptyAsMissing, z.coerce.number().int().min(0).optional()),
});

/** Parses a fault from JSON or from the page's form. */
function parseFault(contentType: string | null, body: string, parties: readonly string[]) {
  const parsed = faultSchema.safeParse(toObject(contentType, body));
  if (!parsed.success) {
    return { problem: `Give {party, fault, times, path?, body?, retryAfter?}. Faults: ${FAULT_KINDS.join(", ")}.` };
  }
  if (!parties.includes(parsed.data.party)) return { problem: `Unknown party. Parties: ${parties.join(", ")}.` };
  return { fault: parsed.data };
}

function toObject(contentType: string | null, body: string): unknown {
  if (!contentType?.includes("json")) return Object.fromEntries(new URLSearchParams(body));
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The pages and calls that belong to no party: front page, health, faults, ledger. */
export function createControl(context: SimulatorContext, parties: readonly Party[], faults: Faults, ledger: Ledger) {
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
