import * as z from "zod";
import { ALERT_EMAIL_CHOICES } from "~/kernel/enums";
import { isMobile, parsePhone } from "~/kernel/phone";
import { sayPlainly } from "~/kernel/plain-issues";
import type { QuietHours } from "./choices";
import { ALERT_EVENT_NAMES, type AlertEventName, type Choice } from "./events";

/** A time of day as a form sends it, e.g. "21:00", in minutes after midnight. */
const timeField = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time such as 21:00")
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));

const choiceField = z.object({
  inApp: z.boolean(),
  email: z.enum(ALERT_EMAIL_CHOICES, "Choose off, at once or daily"),
  sms: z.boolean(),
});

export type AlertForm = { choices: Map<AlertEventName, Choice>; quiet: QuietHours };

const quietSchema = z
  .object({ quietFrom: timeField.optional(), quietTo: timeField.optional() })
  .refine(({ quietFrom, quietTo }) => (quietFrom === undefined) === (quietTo === undefined), {
    error: "Enter both times, or neither",
    path: ["quietTo"],
  })
  .transform(({ quietFrom, quietTo }): { quiet: QuietHours } => ({
    quiet: quietFrom === undefined || quietTo === undefined ? null : { from: quietFrom, to: quietTo },
  }));

/**
 * The settings form: for each event three fields, `<event>.inApp`, `<event>.email` and `<event>.sms`, and the quiet hours.
 * An event without an email field was not on the form.
 */
export const alertFormSchema = z.record(z.string(), z.unknown()).transform((fields, context): AlertForm => {
  const choices: AlertForm["choices"] = new Map();
  for (const event of ALERT_EVENT_NAMES) {
    const sent = fields[event];
    if (typeof sent !== "object" || sent === null || !("email" in sent)) continue;
    const { email, inApp, sms } = { inApp: undefined, sms: undefined, ...sent };
    const choice = choiceField.safeParse({ email, inApp: inApp === "on", sms: sms === "on" }, { error: sayPlainly });
    if (choice.success) choices.set(event, choice.data);
    else context.addIssue({ code: "custom", message: "Choose off, at once or daily", path: [`${event}.email`] });
  }
  const quiet = quietSchema.safeParse({ quietFrom: fields.quietFrom, quietTo: fields.quietTo }, { error: sayPlainly });
  if (!quiet.success) {
    for (const { message, path } of quiet.error.issues) context.addIssue({ code: "custom", message, path });
    return z.NEVER;
  }
  return { choices, quiet: quiet.data.quiet };
});

/** A mobile number as an Australian would write it, or with a country code, as E.164. */
export const phoneFormSchema = z.object({
  phone: z
    .string({ error: "Enter a mobile number" })
    .max(40, "Enter a mobile number")
    .transform((text, context) => {
      const phone = parsePhone(text);
      if (phone !== undefined && isMobile(phone)) return phone;
      context.addIssue({ code: "custom", message: "Enter a mobile number, such as 0412 345 678" });
      return z.NEVER;
    }),
});

export const phoneCodeSchema = z.object({
  code: z
    .string({ error: "Enter the six digits" })
    .transform((text) => text.replace(/\s/g, ""))
    .refine((code) => /^\d{6}$/.test(code), "Enter the six digits of the text message"),
});
