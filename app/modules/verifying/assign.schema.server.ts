import * as z from "zod";
import { isId } from "~/kernel/ids";

const NO_PERSON = "Choose a person";

/** Id of the person to decide it; empty takes the assignment off. */
export const assigneeSchema = z
  .string({ error: NO_PERSON })
  .refine((text) => text === "" || isId(text), NO_PERSON)
  .transform((text) => text || null)
  .default(null);

/** The same in JSON; null takes the assignment off. */
export const assigneeId = z.string({ error: "Send the id of a person, or null" }).refine(isId, NO_PERSON).nullable();

/** Body of POST /api/verifications/{id}/assignment. */
export const assignmentSchema = z.object({ assigneeId });
