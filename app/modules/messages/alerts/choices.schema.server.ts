import * as z from "zod";
import { ALERT_EMAIL_CHOICES } from "~/kernel/enums";
import { isMobile, parsePhone } from "~/kernel/phone";
import type { QuietHours } from "./choices";
import { ALERT_EVENT_NAMES, type AlertEventName, type Choice } from "./events";

/** A time of day as a form sends it, e.g. "21:00", in minutes after midnight. */
const timeField = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time such as 21:00")
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));

const CHOOSE = "Choose off, at once or daily";

/** A box that is not ticked is not sent. */
const choiceField = z.object({
  inApp: z.boolean().default(false),
  email: z.enum(ALERT_EMAIL_CHOICES, CHOOSE),
  sms: z.boolean().default(false),
});

export type AlertForm = { choices: Map<AlertEventName, Choice>; quiet: QuietHours };

/** Each event by its name; one that is absent was not on the form. */
const eventFields = Object.fromEntries(ALERT_EVENT_NAMES.map((event) => [event, choiceField.optional()])) as Record<
  AlertEventName,
  z.ZodOptional<typeof choiceField>
>;

/** The settings form: for each event `<event>.inApp`, `<event>.email` and `<event>.sms`, and the quiet hours. */
export const alertFormSchema = z
  .object({ ...eventFields, quietFrom: timeField.optional(), quietTo: timeField.optional() })
  .refine(({ quietFrom, quietTo }) => (quietFrom === undefined) === (quietTo === undefined), {
    error: "Enter both times, or neither",
    path: ["quietTo"],
  })
  .transform((fields): AlertForm => {
    const { quietFrom, quietTo } = fields;
    const choices: AlertForm["choices"] = new Map();
    for (const event of ALERT_EVENT_NAMES) {
      const choice = fields[event];
      if (choice) choices.set(event, choice);
    }
    return {
      choices,
      quiet: quietFrom === undefined || quietTo === undefined ? null : { from: quietFrom, to: quietTo },
    };
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
