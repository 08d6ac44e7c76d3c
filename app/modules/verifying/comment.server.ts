import * as z from "zod";
import { invalidInput } from "~/kernel/app-error";
import { cleanText, isStorable } from "~/kernel/text";
import { listColleagues } from "~/modules/accounts/members/members.server";
import { idempotencyKeySchema, runCommand, runOnce } from "~/modules/core/commands/run-command.server";
import { isOpen } from "~/modules/payees/verifications/verification";
import { getVerification, listTimeline } from "~/modules/payees/verifications/verification.server";
import { type Actor, canWrite, type Services, type WriteServices } from "~/services-and-actor";
import { assigneeSchema } from "./assign.server";
import { toTimelineEvent } from "./review/review-timeline";

const COMMENTED = "verification.commented";

/** Reads the page of a verification's comments and assignment. @throws AppError 404 */
export async function readNotesPage(services: Services, actor: Actor, id: string) {
  const [verification, timeline, colleagues] = await Promise.all([
    getVerification(services, actor, id),
    listTimeline(services, actor, id),
    listColleagues(services, actor, { canWrite: true }),
  ]);
  const zone = { timeZone: actor.timeZone, now: services.clock.now() };
  return {
    id,
    payeeName: verification.payee.name,
    comments: timeline.filter(({ action }) => action === COMMENTED).map((entry) => toTimelineEvent(entry, zone)),
    assignedToId: verification.assignedToId,
    canWrite: canWrite(actor),
    /** It is pending, and this person has write access. */
    canAssign: canWrite(actor) && isOpen(verification.status),
    colleagues,
    submissionId: services.ids.next(),
  };
}

export const MAX_COMMENT = 1_000;

const NO_TEXT = "Write a comment";

const text = z
  .string({ error: NO_TEXT })
  .max(MAX_COMMENT, `Keep the comment under ${MAX_COMMENT} characters`)
  .refine(isStorable, "The comment contains characters that cannot be stored")
  .transform(cleanText)
  .pipe(z.string({ error: NO_TEXT }).min(1, NO_TEXT));

/** Body of POST /api/verifications/{id}/comments. */
export const commentSchema = z.object({ text });

export const commentFormSchema = z.object({
  intent: z.literal("comment"),
  submissionId: idempotencyKeySchema.optional(),
  text,
});

/**
 * Adds a comment to a verification, decided or not. It is stored in the audit trail, so it cannot be changed; an alert
 * tells the people mentioned. Returns their names.
 *
 * @throws AppError 404; 400 with `text` when a mentioned name does not match a member; 409 IDEMPOTENCY_CONFLICT
 */
export async function commentOnVerification(
  services: WriteServices,
  actor: Actor,
  input: { verificationId: string; text: string; idempotencyKey?: string },
): Promise<{ told: string[] }> {
  const { verificationId, text, idempotencyKey: key } = input;
  const asked = { operation: "comment", key, input: [verificationId, text] };
  return runOnce(services, actor, asked, async (request) => {
    await getVerification(services, actor, verificationId);
    const { people, unknown } = findMentions(text, await listColleagues(services, actor));
    if (unknown.length > 0) throw invalidInput({ text: [unknownNamesSentence(unknown)] });
    const answer = { told: people.map(({ name }) => name) };
    await runCommand(services, actor, {
      audit: [
        {
          action: COMMENTED,
          entityId: verificationId,
          details: { text, people: people.map(({ userId }) => userId) },
        },
      ],
      request,
      answer,
    });
    return answer;
  });
}

const unknownNamesSentence = (names: readonly string[]): string =>
  `${names.map((name) => `"@${name}"`).join(" and ")} does not name exactly one person in your organisation. Write the whole name, such as @Maria Costa.`;

/** Form posts of the comments page, distinguished by the button pressed. */
export const notesFormSchema = z.discriminatedUnion("intent", [
  commentFormSchema,
  z.object({ intent: z.literal("assign"), assignee: assigneeSchema }),
]);

type Person = { userId: string; name: string };

/** An @ at the start of a word, unlike the one in an email address. */
const AT = /(?<![\p{L}\p{N}._%+-])@(?=\p{L})/gu;
const WORD = /^[\p{L}\p{N}'’-]+/u;

/** The ways to mention a person: the full name, or the first name if nobody else has it. */
function namesOf(person: Person, people: readonly Person[]): string[] {
  const first = firstNameOf(person);
  const isOnly = people.filter((other) => firstNameOf(other) === first).length === 1;
  return isOnly ? [person.name.toLowerCase(), first] : [person.name.toLowerCase()];
}

const firstNameOf = ({ name }: Person): string => (name.split(" ")[0] ?? name).toLowerCase();

/** True if a text starts with this whole name. */
const startsWith = (text: string, name: string): boolean =>
  text.startsWith(name) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length));

/**
 * The people mentioned in a text, each once, in the order of `people`, and the words after an @ that match nobody or
 * several people. Case is ignored.
 */
export function findMentions<P extends Person>(text: string, people: readonly P[]): { people: P[]; unknown: string[] } {
  const mentioned = new Set<P>();
  const unknown: string[] = [];
  for (const { index } of text.matchAll(AT)) {
    const rest = text.slice(index + 1);
    const found = people.filter((person) =>
      namesOf(person, people).some((name) => startsWith(rest.toLowerCase(), name)),
    );
    const longest = Math.max(
      0,
      ...found.map(({ name }) => (startsWith(rest.toLowerCase(), name.toLowerCase()) ? name.length : 0)),
    );
    const meant = longest > 0 ? found.filter(({ name }) => name.length === longest) : found;
    for (const person of meant) mentioned.add(person);
    if (meant.length === 0) unknown.push(WORD.exec(rest)?.[0] ?? rest);
  }
  return { people: people.filter((person) => mentioned.has(person)), unknown };
}
