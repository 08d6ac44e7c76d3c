import { commit } from "@db/commit";
import { isConstraintError } from "@db/errors";
import { payeeChanges } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { PayeeDetails } from "~/kernel/payee";
import type { Services } from "~/services";
import { requireFreeAccount } from "./duplicate-payee.server";
import { bankDetailsEdit, editStatements } from "./edit-payee.statements.server";
import { getPayee, type PayeeRow } from "./payee.queries.server";
import { decideEdit, type EditDecision } from "./payee-edit";

type Editing = Pick<Services, "db" | "clock" | "ids" | "secrets" | "queues" | "config">;

export type EditInput = {
  payeeId: string;
  /** Absent fields stay as they are. */
  patch: Partial<PayeeDetails>;
  /** What the editor saw; an edit made from an older version is refused. Absent: whatever is there now. */
  version?: number;
};

/** A verification may be decided, or one opened, at the very moment of an edit: the batch is then made anew. */
const TRIES = 3;

/**
 * Edits a payee. A change of BSB, account number or account name takes the payee off both whitelists, ends the pending
 * verification, opens a new one, tells every other member who can act, and tells the payee at the address it had before.
 * Works whatever the subscription. No change at all writes nothing.
 *
 * @throws AppError 404; 409 EDIT_CONFLICT when somebody else edited it meanwhile, DUPLICATE_PAYEE with `payeeId`
 */
export async function editPayee(services: Editing, actor: Actor, input: EditInput): Promise<EditDecision> {
  for (let attempt = 1; ; attempt++) {
    const payee = await getPayee(services, actor, input.payeeId);
    if (input.version !== undefined && input.version !== payee.version) throw editConflict();
    const next = nextDetails(payee, input.patch);
    const decision = decideEdit(payee, next);
    if (decision.changes.length === 0) return decision;
    if (decision.accountChanged) await requireFreeAccount(services, actor.organizationId, next, payee.id);
    try {
      await write(services, actor, payee, next, decision);
      return decision;
    } catch (error) {
      if (!isConstraintError(error)) throw error;
      if (attempt === TRIES) throw editConflict();
    }
  }
}

async function write(services: Editing, actor: Actor, payee: PayeeRow, next: PayeeDetails, decision: EditDecision) {
  const changes = decision.changes.map((change) => ({ ...change, id: services.ids.next() }));
  const bank = decision.bankDetailsChanged ? await bankDetailsEdit(services, actor, payee, next, decision) : undefined;
  const statements = editStatements(services, actor, { payee, next, decision, changes, bank });
  await commit(services.db, statements, () => changeExists(services, actor, changes[0]?.id ?? ""));
  if (bank) await services.queues.send("jobs", bank.jobIds);
}

function nextDetails(payee: PayeeRow, patch: Partial<PayeeDetails>): PayeeDetails {
  const { name, accountName, bsb, accountNumber, abn, email, phone, address } = payee;
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return { name, accountName, bsb, accountNumber, abn, email, phone, address, ...given };
}

export function editConflict(): AppError {
  return new AppError(
    "EDIT_CONFLICT",
    409,
    "Somebody changed this payee since you opened it. Look at what it says now, then save again if you still want to.",
  );
}

async function changeExists({ db }: Editing, { organizationId }: Actor, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: payeeChanges.id })
    .from(payeeChanges)
    .where(and(eq(payeeChanges.organizationId, organizationId), eq(payeeChanges.id, id)));
  return rows.length > 0;
}
