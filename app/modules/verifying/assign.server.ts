import { verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { invalidInput } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import { type Colleague, listColleagues } from "~/modules/accounts/members/members.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { isOpen } from "~/modules/payees/verifications/verification";
import {
  alreadyDecided,
  getVerification,
  verificationIsPending,
} from "~/modules/payees/verifications/verification.server";
import type { Actor, WriteServices } from "~/services-and-actor";

const NO_PERSON = "Choose a person";

/** Id of the person who should decide it; empty removes the assignment. */
export const assigneeSchema = z
  .string({ error: NO_PERSON })
  .refine((text) => text === "" || isId(text), NO_PERSON)
  .transform((text) => text || null)
  .default(null);

/** The same in JSON; null removes the assignment. */
export const assigneeId = z.string({ error: "Send the id of a person, or null" }).refine(isId, NO_PERSON).nullable();

/** Body of POST /api/verifications/{id}/assignment. */
export const assignmentSchema = z.object({ assigneeId });

/** `assigneeId` null: nobody is assigned any more. */
export type Assigning = { verificationId: string; assigneeId: string | null };

/**
 * Sets who should decide a pending verification; an alert tells that person. An assignment changes no permissions: the
 * second-person rules apply as before. Assigning the same person again writes nothing.
 *
 * @throws AppError 404; 400 with `assignee` if that person has no write access; 409 ALREADY_DECIDED
 */
export async function assignVerification(services: WriteServices, actor: Actor, input: Assigning): Promise<void> {
  const { verificationId, assigneeId } = input;
  const { organizationId } = actor;
  const verification = await getVerification(services, actor, verificationId);
  if (!isOpen(verification.status)) throw alreadyDecided(verification, actor.timeZone);
  if (verification.assignedToId === assigneeId) return;
  const assignee = assigneeId === null ? null : await requireColleague(services, actor, assigneeId);
  const result = await runCommand(services, actor, {
    conditions: [verificationIsPending(services, organizationId, verificationId)],
    statements: [
      services.db
        .update(verifications)
        .set({ assignedToId: assigneeId })
        .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId))),
    ],
    audit: [
      assignee
        ? {
            action: "verification.assigned",
            entityId: verificationId,
            details: { people: [assignee.userId], name: assignee.name },
          }
        : { action: "verification.unassigned", entityId: verificationId },
    ],
  });
  if (!result.ok) throw alreadyDecided(await getVerification(services, actor, verificationId), actor.timeZone);
}

/** @throws AppError 400 with `assignee` */
async function requireColleague(services: WriteServices, actor: Actor, userId: string): Promise<Colleague> {
  const colleagues = await listColleagues(services, actor, { canWrite: true });
  const found = colleagues.find((colleague) => colleague.userId === userId);
  if (!found) throw invalidInput({ assignee: ["Choose a person of your organisation who can make changes."] });
  return found;
}
