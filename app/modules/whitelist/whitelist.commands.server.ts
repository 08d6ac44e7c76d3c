import type { Statement } from "@db/client";
import { commit } from "@db/commit";
import { isPreconditionError } from "@db/errors";
import { auditLogs } from "@db/schema";
import { and, eq } from "drizzle-orm";
import type { Actor } from "~/kernel/actor";
import { AppError } from "~/kernel/app-error";
import type { AuditAction } from "~/modules/audit/audit";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import { findPolicy } from "~/modules/organizations/policies/policy.queries.server";
import { getPayee, type PayeeRow } from "~/modules/payees/payee.queries.server";
import { whileUnchanged } from "~/modules/payees/payees.statements.server";
import type { Services } from "~/services";
import { enteredBankDetails } from "./whitelist";
import { unwhitelistPayee, whitelistPayee } from "./whitelist.statements.server";

type Acting = Pick<Services, "db" | "clock" | "ids">;

export type WhitelistInput = {
  payeeId: string;
  reason: string;
  /** What the person saw; absent: whatever is there now. */
  version?: number;
};

/**
 * Trusts a payee's current details by hand. Trusting one that is trusted already changes nothing.
 * @returns whether anything changed
 * @throws AppError 404; 403 SECOND_PERSON_REQUIRED; 409 EDIT_CONFLICT
 */
export async function whitelistByHand(services: Acting, actor: Actor, input: WhitelistInput): Promise<boolean> {
  const payee = await getPayee(services, actor, input.payeeId);
  if (payee.whitelisted) return false;
  const policy = await findPolicy(services, actor.organizationId);
  const selfApproval = enteredBankDetails(payee, actor.userId);
  if (policy.secondPersonRequired && selfApproval) throw secondPersonRequired();
  const { payeeId, reason } = input;
  const details = { reason, selfApproval };
  await write(services, actor, payee, input, {
    statement: whitelistPayee(services, actor, { payeeId, reason }),
    action: "payee.whitelisted",
    details,
  });
  return true;
}

/**
 * Takes a payee off both whitelists by hand.
 * @returns whether anything changed
 * @throws AppError 404; 409 EDIT_CONFLICT
 */
export async function unwhitelistByHand(services: Acting, actor: Actor, input: WhitelistInput): Promise<boolean> {
  const payee = await getPayee(services, actor, input.payeeId);
  if (!payee.whitelisted && !payee.whitelistGlobal) return false;
  await write(services, actor, payee, input, {
    statement: unwhitelistPayee(services, actor, payee.id),
    action: "payee.unwhitelisted",
    details: { reason: input.reason, whitelistGlobal: payee.whitelistGlobal },
  });
  return true;
}

type Change = { statement: Statement; action: AuditAction; details: Record<string, unknown> };

async function write(services: Acting, actor: Actor, payee: PayeeRow, input: WhitelistInput, change: Change) {
  if (input.version !== undefined && input.version !== payee.version) throw conflict();
  const { statement, action, details } = change;
  const entry = { action, entityType: "payee", entityId: payee.id, details } as const;
  const auditId = services.ids.next();
  const statements = [
    whileUnchanged(services, actor.organizationId, payee),
    statement,
    recordAudit({ ...services, ids: { ...services.ids, next: () => auditId } }, actor, entry),
  ];
  try {
    await commit(services.db, statements, () => auditExists(services, actor, auditId));
  } catch (error) {
    throw isPreconditionError(error) ? conflict() : error;
  }
}

async function auditExists({ db }: Acting, { organizationId }: Actor, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .where(and(eq(auditLogs.organizationId, organizationId), eq(auditLogs.id, id)));
  return rows.length > 0;
}

const conflict = () =>
  new AppError("EDIT_CONFLICT", 409, "Somebody changed this payee since you opened it. Look again, then decide.");

const secondPersonRequired = () =>
  new AppError(
    "SECOND_PERSON_REQUIRED",
    403,
    "Your organisation asks for a second person: whoever entered the bank details cannot put the payee on the whitelist.",
  );
