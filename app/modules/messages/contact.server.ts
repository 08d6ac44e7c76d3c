import { contactSubmissions } from "@db/database";
import * as z from "zod";
import { isEmail, normalizeEmail } from "~/kernel/email";
import { cleanLine, cleanText, isStorable } from "~/kernel/text";
import { findAnswer, type IdempotentRequest, runCommand } from "~/modules/core/commands/run-command.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import { PLATFORM_ORGANIZATION_ID, systemActor, type WriteServices } from "~/services-and-actor";
import { CONTACT_INTERESTS, CONTACT_LENGTHS, type ContactInterest, type ContactMessage } from "./contact";

/** The contact form's rules and sentences (specification, section 5). */

type TextField = Exclude<keyof typeof CONTACT_LENGTHS, "email">;

const INTERESTS = Object.keys(CONTACT_INTERESTS) as [ContactInterest, ...ContactInterest[]];

function textField(name: TextField, message: string, clean = cleanLine) {
  const { min, max } = CONTACT_LENGTHS[name];
  return z
    .string({ error: message })
    .transform(clean)
    .refine((text) => [...text].length >= min, { error: message })
    .refine((text) => text.length <= max, { error: `Please use at most ${max} characters` })
    .refine(isStorable, { error: "Please remove the characters that cannot be stored" });
}

const email = z
  .string({ error: "Invalid email address" })
  .transform(normalizeEmail)
  .refine(isEmail, { error: "Invalid email address" });

const fields = {
  firstName: textField("firstName", "First name is required"),
  lastName: textField("lastName", "Last name is required"),
  email,
  company: textField("company", "Company name is required"),
  phone: textField("phone", "Valid phone number is required"),
  interest: z.enum(INTERESTS, { error: "Please select an option" }),
  message: textField("message", "Message must be at least 10 characters", cleanText),
};

/** POST /api/contact: without the consent box, which only the form has. */
export const contactCallSchema: z.ZodType<ContactMessage> = z.object(fields);

/** The form, with the required consent. */
export const contactFormSchema = z.object({
  ...fields,
  privacy: z.literal("on", { error: "You must agree to the privacy policy" }),
});

/**
 * Stores a visitor's message and queues its email to our inbox, both or neither.
 *
 * The message itself is the idempotency key: a double click or a repeated call stores and sends it once. The key
 * expires with other stored answers, so that a person may send the same message again later.
 */
export async function submitContactMessage(services: WriteServices, message: ContactMessage): Promise<void> {
  const { db, clock, ids, config } = services;
  const requestHash = await services.secrets.hashToken(`contact\n${JSON.stringify(message)}`);
  const request: IdempotentRequest = {
    organizationId: PLATFORM_ORGANIZATION_ID,
    key: `contact:${requestHash}`,
    requestHash,
  };
  if (await findAnswer(services, request)) return;
  const id = ids.next();
  await runCommand(services, systemActor(PLATFORM_ORGANIZATION_ID, id), {
    statements: [db.insert(contactSubmissions).values({ id, ...message, createdAt: clock.now() })],
    audit: [{ action: "contact.received", entityId: id }],
    jobs: await queueEmail(services, null, [config.contactInbox], {
      template: "contactReceived",
      data: { ...message, interest: CONTACT_INTERESTS[message.interest] },
    }),
    request,
    answer: { id },
  });
}
