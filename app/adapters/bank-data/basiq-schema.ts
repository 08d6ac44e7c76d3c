import * as z from "zod";

/*
 * What the provider's answers must have for us to use them (api.basiq.io/reference, version 3.0; what it publishes stands
 * in tests/conformance/basiq). Strict about what decides: ids, names, numbers, statuses. Lenient about what is around it: an
 * unknown field, a missing `type`, `count` or `links` is no error, because some of its lists have them and some do not.
 * Words of an enumeration are strings: a new word must not break a check.
 */

const text = z.string().nullish();
/** An address that is only looked at where it is one. */
const address = z.string().optional().catch(undefined);

/** Links of a thing. The list of events documents them as an array of one. */
const links = z
  .preprocess(
    (value) => (Array.isArray(value) ? value[0] : value),
    z.object({ self: address, source: address }).nullish(),
  )
  .catch(undefined);

/** A reference to another thing: its id, or an object that has it. */
const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish();

export const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

export const userSchema = z.object({ id: z.string().min(1), links });

const jobStepSchema = z.object({
  title: text,
  status: z.string(),
  result: z.object({ code: text, url: text }).nullish(),
});

/** Its times go by two names. */
export const jobSchema = z.object({
  id: z.string().min(1),
  created: text,
  createdDate: text,
  updated: text,
  updatedDate: text,
  steps: z.array(jobStepSchema).nullish(),
  links,
});

export const connectionSchema = z.object({ id: z.string().min(1), userId: text, links });

export const accountSchema = z.object({
  id: z.string().min(1),
  accountNo: text,
  bsb: text,
  unmaskedAccNum: text,
  maskedNumber: text,
  accountHolder: text,
  accountOwnership: text,
  isOwned: z.boolean().nullish(),
  class: z.preprocess(
    (value) => (typeof value === "string" ? { type: value } : value),
    z.object({ type: text }).nullish(),
  ),
  status: text,
  connection: reference,
  institution: reference,
  userId: text,
  links,
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
  links,
});

/** `status` is active, revoked or expired. */
export const consentSchema = z.object({ id: z.string().min(1), status: z.string(), userId: text, links });

const listLinks = z.object({ self: address, next: text }).nullish();
const withEnvelope = (value: unknown) => (Array.isArray(value) ? { data: value } : value);

/** A page of a list. `links.next` decides whether the list goes on, so it must be an address where it is given. */
export const listSchema = <T>(item: z.ZodType<T>) =>
  z.preprocess(withEnvelope, z.object({ data: z.array(item), links: listLinks }));

/** The same of a list on which nothing depends, e.g. that of events: without data it is empty. */
export const looseListSchema = <T>(item: z.ZodType<T>) =>
  z.preprocess(withEnvelope, z.object({ data: z.array(item).nullish(), links: listLinks }));

/**
 * Something that happened to a user: `entity` says to what ("consent"), `eventType` what ("revoked"). Webhooks call the two
 * "consent.revoked", and so do we.
 */
export const eventSchema = z
  .object({
    id: text,
    entity: text,
    eventType: z.string().min(1),
    userId: z.string().min(1),
    createdDate: text,
    createdTime: text,
    dataRef: address,
    links,
  })
  .refine(({ entity, eventType }) => Boolean(entity) || eventType.includes("."), "an event without its entity")
  .transform(({ entity, eventType, createdDate, createdTime, ...event }) => ({
    ...event,
    eventType: entity && !eventType.includes(".") ? `${entity}.${eventType}` : eventType,
    createdAt: Date.parse(createdDate ?? createdTime ?? ""),
  }));

export type BasiqEvent = z.infer<typeof eventSchema>;

const errorItem = z.object({ code: text, detail: text, title: text, message: text });

/** `{type: "list", correlationId, data: [{code, title, detail}]}`; a gateway in front of it has errors of its own. */
export const errorSchema = z.object({ correlationId: text, data: z.array(errorItem).nullish() }).and(errorItem);

export type BasiqJob = z.infer<typeof jobSchema>;
export type BasiqAccount = z.infer<typeof accountSchema>;
export type BasiqIdentity = z.infer<typeof identitySchema>;
