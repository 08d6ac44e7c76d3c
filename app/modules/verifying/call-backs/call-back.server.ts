import { columnsOf, payeeChanges, payees, prepared, users, verificationCalls } from "@db/database";
import { and, asc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { CALL_OUTCOMES, CALL_SOURCES } from "~/kernel/enums";
import { parsePhone } from "~/kernel/phone";
import { cleanText, isStorable } from "~/kernel/text";
import { withUserName } from "~/modules/core/audit/timeline.server";
import { idempotencyKeySchema, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { selectChanges } from "~/modules/payees/payee-page.server";
import { findBankDetailsEditors } from "~/modules/payees/second-person.server";
import { isOpen } from "~/modules/payees/verifications/verification";
import {
  alreadyDecided,
  getVerification,
  verificationIsPending,
} from "~/modules/payees/verifications/verification.server";
import type { Actor, Asking, ReadServices, WriteServices } from "~/services-and-actor";
import { changeToConfirm, listPhones, whyNoProof } from "./call-back";

export type RecordCallInput = { verificationId: string; call: z.infer<typeof callSchema>; idempotencyKey?: string };

/**
 * Records a call to the payee about a pending verification. Whether it counts as proof is decided now and stored: a
 * call to a number that changed recently, or by the person who entered the details, is recorded but proves nothing.
 *
 * @throws AppError 404; 409 ALREADY_DECIDED, IDEMPOTENCY_CONFLICT
 * @returns the id of the call
 */
export async function recordCall(services: WriteServices, actor: Actor, input: RecordCallInput): Promise<string> {
  const { verificationId, call, idempotencyKey: key } = input;
  const { organizationId } = actor;
  const asked = { operation: "record-call", key, input: [verificationId, call] };
  const { id } = await runOnce(services, actor, asked, async (request) => {
    const verification = await getVerification(services, actor, verificationId);
    if (!isOpen(verification.status)) throw alreadyDecided(verification, actor.timeZone);
    const [phones, enteredBy] = await Promise.all([
      listKnownPhones(services, actor, verification.payee.id),
      findBankDetailsEditors(services, actor, verification.payee),
    ]);
    const called = { ...call, isOwnWork: enteredBy.has(actor.userId), changedAt: changeToConfirm(verification) };
    const noProof = whyNoProof(called, phones, services.clock.now()) ?? null;
    const row = { ...call, spokeTo: call.spokeTo ?? null, note: call.note ?? null, noProof };
    const callId = services.ids.next();
    const result = await runCommand(services, actor, {
      conditions: [verificationIsPending(services, organizationId, verificationId)],
      statements: [
        services.db.insert(verificationCalls).values({
          ...row,
          id: callId,
          organizationId,
          verificationId,
          calledById: actor.userId,
          createdAt: services.clock.now(),
        }),
      ],
      audit: [
        {
          action: "verification.call_recorded",
          entityId: verificationId,
          details: { callId, payeeId: verification.payee.id, ...row },
        },
      ],
      request,
      answer: { id: callId },
    });
    if (!result.ok) throw alreadyDecided(await getVerification(services, actor, verificationId), actor.timeZone);
    return result.answer;
  });
  return id;
}

const MAX_NAME = 140;
const MAX_NOTE = 500;
const NO_NUMBER = "Enter the number you called, such as 02 9374 4000";

const line = (max: number, what: string) =>
  z
    .string()
    .max(max, `Keep ${what} under ${max} characters`)
    .refine(isStorable, `${what} contains characters that cannot be stored`)
    .transform((text) => cleanText(text) || undefined)
    .optional();

const fields = {
  number: z
    .string({ error: NO_NUMBER })
    .max(40, NO_NUMBER)
    .transform((text, context) => {
      const number = parsePhone(text);
      if (number === undefined) context.addIssue({ code: "custom", message: NO_NUMBER });
      return number ?? "";
    }),
  source: z.enum(CALL_SOURCES, { error: "Choose where you found the number" }),
  spokeTo: line(MAX_NAME, "The name"),
  outcome: z.enum(CALL_OUTCOMES, { error: "Choose how the call ended" }),
  note: line(MAX_NOTE, "The note"),
};

type Called = { source: string; outcome: string; spokeTo?: string; note?: string };

/** Requires who was spoken to and, for a number from elsewhere, its source. */
function requireDetails({ source, outcome, spokeTo, note }: Called, context: z.RefinementCtx) {
  if (outcome !== "no_answer" && !spokeTo) {
    context.addIssue({ code: "custom", path: ["spokeTo"], message: "Say who you spoke to" });
  }
  if (source === "other" && !note) {
    context.addIssue({ code: "custom", path: ["note"], message: "Say where you found the number" });
  }
}

/** Body of POST /api/verifications/{id}/calls. */
export const callSchema = z.object(fields).superRefine(requireDetails);

export const callFormSchema = z
  .object({ intent: z.literal("record-call"), submissionId: idempotencyKeySchema.optional(), ...fields })
  .superRefine(requireDetails);

/** More calls than anybody makes about one verification. */
const CALLS_SIZE = 100;
const PHONE_CHANGES_SIZE = 100;

export async function listCalls({ db }: ReadServices, { organizationId }: Asking, verificationId: string) {
  const rows = await callsOf(db).all({ organizationId, verificationId });
  return rows.map(withUserName);
}

const callsOf = prepared((db) =>
  db
    .select({
      ...columnsOf(verificationCalls, "id", "number", "source", "spokeTo", "outcome", "note", "noProof", "createdAt"),
      ...columnsOf(users, "firstName", "lastName"),
    })
    .from(verificationCalls)
    .leftJoin(users, eq(users.id, verificationCalls.calledById))
    .where(
      and(
        eq(verificationCalls.organizationId, sql.placeholder("organizationId")),
        eq(verificationCalls.verificationId, sql.placeholder("verificationId")),
      ),
    )
    .orderBy(asc(verificationCalls.id))
    .limit(CALLS_SIZE)
    .prepare(),
);

/** Every number that the payee has or had, with when and by whom it was set. */
export async function listKnownPhones({ db }: ReadServices, { organizationId }: Asking, payeeId: string) {
  const asked = { organizationId, payeeId };
  const [[payee], changes] = await Promise.all([phoneOf(db).all(asked), phoneChangesOf(db).all(asked)]);
  if (!payee) return [];
  const { phone, createdAt, userName } = withUserName(payee);
  return listPhones({ phone, createdAt, createdBy: userName }, changes.map(withUserName));
}

const phoneOf = prepared((db) =>
  db
    .select({ ...columnsOf(payees, "phone", "createdAt"), ...columnsOf(users, "firstName", "lastName") })
    .from(payees)
    .leftJoin(users, eq(users.id, payees.createdById))
    .where(and(eq(payees.organizationId, sql.placeholder("organizationId")), eq(payees.id, sql.placeholder("payeeId"))))
    .prepare(),
);

const phoneChangesOf = prepared((db) =>
  selectChanges(db, eq(payeeChanges.field, "phone")).orderBy(asc(payeeChanges.id)).limit(PHONE_CHANGES_SIZE).prepare(),
);
