import { alertChoices, alertContacts, rowIn } from "@db/database";
import { countHit } from "@db/rate-counter";
import { and, eq, gt, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError, invalidInput } from "~/kernel/app-error";
import { DAY_MS, MINUTE_MS } from "~/kernel/dates";
import { ALERT_EMAIL_CHOICES } from "~/kernel/enums";
import { PHONE_CODES_PER_DAY } from "~/kernel/limits";
import { linkPaths } from "~/kernel/paths/links";
import { isMobile, parsePhone } from "~/kernel/phone";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { allowAddress } from "~/modules/messages/notifications/deliveries.server";
import { queueSms } from "~/modules/messages/notifications/notifications.server";
import { TEXTS_OFF } from "~/modules/messages/notifications/outside-messages";
import {
  type Actor,
  PLATFORM_ORGANIZATION_ID,
  type ReadServices,
  type Services,
  type WriteServices,
} from "~/services-and-actor";
import { setContact } from "./alerts.server";
import { alertChoiceWords, GROUPS, groupOf } from "./alerts.view";
import {
  ALERT_EVENT_NAMES,
  type AlertEventName,
  type Choice,
  canConcern,
  effectiveChoice,
  eventOf,
  isRequiredOf,
  type QuietHours,
} from "./events";

/** A time of day from a form, e.g. "21:00", in minutes after midnight. */
const timeField = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time such as 21:00")
  .transform((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)));

const CHOOSE = "Choose off, at once or daily";

/** An unticked box is not sent. */
const choiceField = z.object({
  inApp: z.boolean().default(false),
  email: z.enum(ALERT_EMAIL_CHOICES, CHOOSE),
  sms: z.boolean().default(false),
});

type AlertForm = { choices: Map<AlertEventName, Choice>; quiet: QuietHours };

/** The fields of each event by its name; absent when the event was not on the form. */
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

/** A person's alert settings: every event that can concern them with its present value, and how they are reached. */
export async function readAlertSettings({ db }: ReadServices, actor: Actor) {
  const { organizationId, userId, organizationRole } = actor;
  const role = organizationRole ?? "read_only";
  const [rows, [contact]] = await Promise.all([
    db
      .select()
      .from(alertChoices)
      .where(and(eq(alertChoices.organizationId, organizationId), eq(alertChoices.userId, userId))),
    db.select().from(alertContacts).where(eq(alertContacts.userId, userId)),
  ]);
  const chosen = new Map(rows.map((row) => [row.event, row]));
  const events = ALERT_EVENT_NAMES.filter((event) => canConcern(event, role)).map((event) => {
    const { label, description, hasOwnEmails = false } = eventOf(event);
    const choice = effectiveChoice(event, role, chosen.get(event));
    const now = alertChoiceWords(choice, hasOwnEmails);
    const initial = alertChoiceWords(effectiveChoice(event, role, undefined), hasOwnEmails);
    return { event, label, description, isRequired: isRequiredOf(event, role), hasOwnEmails, choice, now, initial };
  });
  return {
    groups: Object.values(GROUPS).map((title) => ({
      title,
      events: events.filter(({ event }) => groupOf(event) === title),
    })),
    different: events.flatMap(({ event: id, label, now, initial }) =>
      now === initial ? [] : [{ id, label, now, initial }],
    ),
    quietFrom: contact?.quietFrom ?? null,
    quietTo: contact?.quietTo ?? null,
    phone: contact?.phone ?? null,
    isPhoneConfirmed: contact?.phoneConfirmedAt != null,
    emailStoppedReason: contact?.emailStoppedAt == null ? null : (contact.emailStoppedReason ?? "stopped"),
  };
}

/** Saves a person's alert choices in this organisation, and their quiet hours. */
export async function chooseAlerts(services: WriteServices, actor: Actor, { choices, quiet }: AlertForm) {
  const { db, clock } = services;
  const { organizationId, userId } = actor;
  const own = and(eq(alertChoices.organizationId, organizationId), eq(alertChoices.userId, userId));
  const rows = [...choices].map(([event, choice]) => ({ event, ...choice }));
  const hours = { quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null, updatedAt: clock.now() };
  await runCommand(services, actor, {
    statements: [
      db.delete(alertChoices).where(own),
      // The rows are passed as one JSON list, because D1 binds at most 100 parameters.
      db.insert(alertChoices).select(
        sql`SELECT ${organizationId}, ${userId}, value ->> 'event', value ->> 'inApp', value ->> 'email', value ->> 'sms'
          FROM json_each(${JSON.stringify(rows)})`,
      ),
      setContact(services, userId, hours),
    ],
    audit: [{ action: "user.alerts_changed", entityId: userId }],
  });
}

/** Why a person receives no more emails. */
type StopReason = "unsubscribed" | "bounced" | "complained";

/**
 * Stops all alert emails to a person; alerts in the app continue. Stopping twice changes nothing more.
 * @param origin of the request that stopped them, for the audit trail
 */
export async function stopAlertEmails(
  services: WriteServices,
  { userId, reason, origin }: { userId: string; reason: StopReason; origin: Actor["origin"] },
): Promise<void> {
  const stopped = { emailStoppedAt: services.clock.now(), emailStoppedReason: reason, updatedAt: services.clock.now() };
  await runCommand(
    services,
    { userId, organizationId: PLATFORM_ORGANIZATION_ID, origin },
    {
      statements: [setContact(services, userId, stopped)],
      audit: [{ action: "user.alert_emails_stopped", entityId: userId, details: { reason } }],
    },
  );
}

export async function resumeAlertEmails(services: WriteServices, actor: Actor): Promise<void> {
  const resumed = { emailStoppedAt: null, emailStoppedReason: null, updatedAt: services.clock.now() };
  await runCommand(services, actor, {
    statements: [setContact(services, actor.userId, resumed)],
    parts: [await allowAddress(services, actor.email)],
    audit: [{ action: "user.alert_emails_resumed", entityId: actor.userId }],
  });
}

const CODE_VALID_MS = 10 * MINUTE_MS;
const MAX_TRIES = 5;
/** How many codes a person can request per day: each costs money, and the number may be a stranger's. */
const MAX_CODES_A_DAY = PHONE_CODES_PER_DAY;

/**
 * Sends a code to the number at which a person wants text messages. The number is not used until the code has been
 * entered.
 * @throws AppError 409 TEXTS_OFF, 429 RATE_LIMITED
 */
export async function sendPhoneCode(services: WriteServices, actor: Actor, { phone }: { phone: string }) {
  if (!services.config.hasTexts) throw new AppError("TEXTS_OFF", TEXTS_OFF);
  const { db, clock } = services;
  const now = clock.now();
  const { count } = await countHit(db, `phone-code:${actor.userId}`, DAY_MS, now);
  if (count > MAX_CODES_A_DAY) {
    throw new AppError("RATE_LIMITED", "You have asked for several codes today. Try again tomorrow.", {
      retryAfterSeconds: DAY_MS / 1000,
    });
  }
  const code = newCode(services);
  const pending = {
    phone,
    phoneConfirmedAt: null,
    phoneCodeHash: await hashCode(services, actor.userId, code),
    phoneCodeExpiresAt: now + CODE_VALID_MS,
    updatedAt: now,
  };
  const body = `${code} is your PayeeProof code. No one from PayeeProof will ask you for it.`;
  await runCommand(services, actor, {
    statements: [setContact(services, actor.userId, pending)],
    audit: [{ action: "user.phone_code_sent", entityId: actor.userId }],
    jobs: await queueSms(services, actor.organizationId, { to: phone, body }),
  });
}

/**
 * Confirms the number with the code that was sent to it.
 * @throws AppError 400 INVALID_INPUT beside `code` when it is wrong, too old, or was tried too often
 */
export async function confirmPhone(services: WriteServices, actor: Actor, { code }: { code: string }): Promise<void> {
  const { db, clock } = services;
  const { userId } = actor;
  const now = clock.now();
  const codeHash = await hashCode(services, userId, code);
  // Every attempt is counted before the code is compared, so that many simultaneous attempts are still at most five.
  const { count } = await countHit(db, `phone-code-try:${userId}`, CODE_VALID_MS, now);
  if (count > MAX_TRIES) throw wrongCode();
  const matches = and(
    eq(alertContacts.userId, userId),
    eq(alertContacts.phoneCodeHash, codeHash),
    gt(alertContacts.phoneCodeExpiresAt, now),
  );
  const { ok } = await runCommand(services, actor, {
    conditions: [{ name: "wrong_code", found: rowIn(db, alertContacts).where(matches) }],
    statements: [
      setContact(services, userId, {
        phoneConfirmedAt: now,
        phoneCodeHash: null,
        phoneCodeExpiresAt: null,
        updatedAt: now,
      }),
    ],
    audit: [{ action: "user.phone_confirmed", entityId: userId }],
  });
  if (!ok) throw wrongCode();
}

/** Removes the person's number, so that no more text messages are sent. */
export async function removePhone(services: WriteServices, actor: Actor): Promise<void> {
  const removed = { phone: null, phoneConfirmedAt: null, phoneCodeHash: null, updatedAt: services.clock.now() };
  await runCommand(services, actor, {
    statements: [setContact(services, actor.userId, removed)],
    audit: [{ action: "user.phone_removed", entityId: actor.userId }],
  });
}

const wrongCode = () =>
  invalidInput({ code: ["This is not the code we sent, or it has expired. Send a new one and try again."] });

/** Six random digits. */
function newCode({ ids }: Pick<Services, "ids">): string {
  const bytes = new TextEncoder().encode(ids.secret());
  const number = bytes.reduce((sum, byte) => (sum * 257 + byte) % 1_000_000, 0);
  return String(number).padStart(6, "0");
}

/** Includes the person's id, so that a code sent to another person confirms nothing here. */
const hashCode = ({ secrets }: Pick<Services, "secrets">, userId: string, code: string) =>
  secrets.hashToken(`phone-code\n${userId}\n${code}`);

/** The encryption context of the id, so that the link works for nothing else. */
const CONTEXT = "stop-alert-emails";

/** The link in every alert email that stops these emails. It needs no sign-in and reveals nothing about the person. */
export async function stopEmailsHref({ secrets, config }: Pick<Services, "secrets" | "config">, userId: string) {
  const sealed = await secrets.seal(userId, CONTEXT);
  return `${config.appOrigin}${linkPaths.stopEmails(sealed)}`;
}

/** The person whose link it is; undefined for an invalid link. */
export async function openStopEmailsToken({ secrets }: Pick<Services, "secrets">, token: string) {
  try {
    return await secrets.open(token, CONTEXT);
  } catch {
    return undefined;
  }
}
