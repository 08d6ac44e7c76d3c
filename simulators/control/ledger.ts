import type { SimulatedCall, SimulatorContext } from "../party";

/** One call received from the app. */
export type LedgerEntry = {
  id: string;
  party: string;
  method: string;
  path: string;
  /** Null while the call is being answered. */
  status: number | null;
  at: number;
  idempotencyKey: string | null;
  correlationId: string;
  /** The fault that affected it. */
  fault: string | null;
  body: string;
};

const KEPT_ENTRIES = 5_000;
const KEPT_BODY_LENGTH = 500;

export interface Ledger {
  /** Newest first. */
  list(party?: string): LedgerEntry[];
  open(party: string, call: SimulatedCall, summary: string | undefined): LedgerEntry;
  close(entry: LedgerEntry, status: number, fault?: string): void;
}

export function createLedger(context: Pick<SimulatorContext, "slice" | "save" | "now">): Ledger {
  const entries = context.slice<LedgerEntry[]>("ledger", () => []);
  return {
    list: (party) => entries.filter((entry) => !party || entry.party === party).reverse(),
    open(party, call, summary) {
      const entry: LedgerEntry = {
        id: call.correlationId,
        party,
        method: call.request.method,
        path: call.url.pathname + maskNumbers(call.url.search),
        status: null,
        at: context.now(),
        idempotencyKey: call.request.headers.get("idempotency-key"),
        correlationId: call.correlationId,
        fault: null,
        body: maskNumbers(summary ?? call.body).slice(0, KEPT_BODY_LENGTH),
      };
      entries.push(entry);
      if (entries.length > KEPT_ENTRIES) entries.splice(0, entries.length - KEPT_ENTRIES);
      context.save();
      return entry;
    },
    close(entry, status, fault) {
      entry.status = status;
      entry.fault = fault ?? null;
      context.save();
    },
  };
}

const UUID_OR_NUMBER = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d[\d -]{3,}\d/gi;

/** Hides all but the last three of any run of five digits or more: bank numbers, phone numbers, business numbers. Ids stay. */
export function maskNumbers(text: string): string {
  return text.replace(UUID_OR_NUMBER, (run) =>
    /^[\d -]+$/.test(run) ? `***${run.replace(/\D/g, "").slice(-3)}` : run,
  );
}
