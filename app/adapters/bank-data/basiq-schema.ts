import * as z from "zod";

/*
 * What the provider's answers must have for us to use them (api.basiq.io/reference, version 3.0). Fields that are not
 * read are not checked, and words of an enumeration are strings: a new word must not break a check.
 */

const text = z.string().nullish();
const links = z.object({ self: text, source: text, next: text }).partial();

export const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export const userSchema = z.object({ type: z.literal("user"), id: z.string().min(1), links: links.optional() });

const jobStepSchema = z.object({
  title: z.string(),
  status: z.string(),
  result: z.object({ code: text, url: text }).nullish(),
});

export const jobSchema = z.object({
  id: z.string().min(1),
  created: text,
  updated: text,
  steps: z.array(jobStepSchema).nullish(),
  links: links.optional(),
});

export const connectionSchema = z.object({ id: z.string().min(1), userId: text, links: links.optional() });

export const accountSchema = z.object({
  id: z.string().min(1),
  accountNo: text,
  bsb: text,
  unmaskedAccNum: text,
  maskedNumber: text,
  accountHolder: text,
  accountOwnership: text,
  isOwned: z.boolean().nullish(),
  class: z.object({ type: text }).nullish(),
  status: text,
  connection: text,
  institution: text,
  userId: text,
  links: links.optional(),
});

/** A bank that the provider connects to; an account names it by this id. */
export const connectorSchema = z.object({ id: z.string().min(1), institution: z.object({ name: text }).nullish() });

export const identitySchema = z.object({
  fullName: text,
  firstName: text,
  middleName: text,
  lastName: text,
  organisation: z.object({ businessName: text, legalName: text, abn: text }).nullish(),
  connectionID: text,
  userId: text,
  links: links.optional(),
});

/** A list has its own links; a page without `self` cannot be told to be the one asked for. */
export function listSchema<T>(item: z.ZodType<T>) {
  return z.object({
    type: z.literal("list"),
    data: z.array(item),
    links: z.object({ self: z.string(), next: text }),
  });
}

export const eventSchema = z.object({
  id: text,
  eventType: z.string().min(1),
  userId: z.string().min(1),
  links: z.object({ self: text, eventEntity: text }).partial().optional(),
});

const time = z.iso.datetime({ offset: true }).optional();

/** An event as the list of all events shows it; its time goes by two names. */
export const listedEventSchema = eventSchema
  .extend({ createdTime: time, createdDate: time })
  .transform(({ createdTime, createdDate, eventType, userId }) => ({
    eventType,
    userId,
    createdAt: Date.parse(createdTime ?? createdDate ?? ""),
  }))
  .refine(({ createdAt }) => Number.isFinite(createdAt), "an event without its time");

/** `{type: "list", correlationId, data: [{code, title, detail}]}` */
export const errorSchema = z.object({
  correlationId: text,
  data: z.array(z.object({ code: text, detail: text, title: text })),
});

export type BasiqJob = z.infer<typeof jobSchema>;
export type BasiqAccount = z.infer<typeof accountSchema>;
export type BasiqIdentity = z.infer<typeof identitySchema>;
