import { parseWithZod } from "@conform-to/zod/v4";
import { organizations } from "@db/schema";
import { and, eq, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { formatAbn } from "~/kernel/abn";
import type { Actor } from "~/kernel/actor";
import { AppError, type FieldErrors, invalidInput, notFound } from "~/kernel/app-error";
import { isEmail, normalizeEmail } from "~/kernel/email";
import { abnField, organizationNameField } from "~/kernel/fields.schema.server";
import { formatPhone, parsePhone } from "~/kernel/phone";
import { sayPlainly } from "~/kernel/plain-issues";
import { cleanText, isStorable } from "~/kernel/text";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { NotifyServices, ReadServices } from "~/services";
import { changedDetails, DETAIL_FIELDS, type DetailField, type OrganizationDetails, readLogo } from "./details";
import { findWaitingName, nameOrRequest, withdrawWaitingName } from "./name-requests.server";

/** What the form of details asks for. @throws AppError 400 with the sentences beside their fields */
export async function parseDetailsForm(
  form: FormData,
): Promise<{ details: OrganizationDetails; logo?: string | null }> {
  const submission = parseWithZod(form, { schema: detailsSchema, error: sayPlainly });
  const { logo, problem } = await logoOf(form);
  const errors: FieldErrors = {};
  if (submission.status !== "success") {
    for (const [field, messages] of Object.entries(submission.error ?? {})) if (messages) errors[field] = messages;
  }
  if (problem) errors.logo = [problem];
  if (submission.status !== "success" || problem) throw invalidInput(errors);
  return { details: submission.value, logo };
}

/** A new picture; null when it is to go; neither when the field was left alone. */
async function logoOf(form: FormData): Promise<{ logo?: string | null; problem?: string }> {
  const file = form.get("logo");
  if (file instanceof File && file.size > 0) return readLogo(new Uint8Array(await file.arrayBuffer()));
  return form.get("removeLogo") === "on" ? { logo: null } : {};
}

const MAX_ADDRESS = 500;
const MAX_WEBSITE = 200;
const MAX_INPUT = 2_000;

/** A field that may stay empty, read by `read`: its stored form, or the sentence. */
const optional = (read: (text: string) => string | undefined, problem: string) =>
  z
    .string()
    .max(MAX_INPUT, "This is far too long")
    .nullish()
    .transform((text, context) => {
      if (!text?.trim()) return null;
      const value = read(text.trim());
      if (value !== undefined) return value;
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    });

function readEmail(text: string): string | undefined {
  const email = normalizeEmail(text);
  return isEmail(email) ? email : undefined;
}

function readAddress(text: string): string | undefined {
  const address = cleanText(text);
  return isStorable(text) && address.length <= MAX_ADDRESS ? address : undefined;
}

/** A web address, with `https://` in front where it was left out. */
function readWebsite(text: string): string | undefined {
  const address = /^[a-z]+:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, username, href } = new URL(address);
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && hostname.includes(".") && username === "" && href.length <= MAX_WEBSITE ? href : undefined;
}

/** One plain label of a domain name (RFC 1035, section 2.3.1), in lower case; none that begins like an encoded name. */
function readSubdomain(text: string): string | undefined {
  const label = text.toLowerCase();
  return /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label) && !label.startsWith("xn--") ? label : undefined;
}

/** The form of an organisation's details. */
export const detailsSchema: z.ZodType<OrganizationDetails> = z.object({
  name: organizationNameField,
  abn: abnField.transform((abn) => abn ?? null),
  address: optional(readAddress, `The address has at most ${MAX_ADDRESS} characters, and no control characters`),
  phone: optional(parsePhone, "Enter a phone number that exists, such as (02) 9374 4000"),
  contactEmail: optional(readEmail, "Please enter a valid email address"),
  website: optional(readWebsite, "Enter a web address, such as https://example.com.au"),
  subdomain: optional(
    readSubdomain,
    "Use a letter first, then letters, digits and hyphens, at most 63 characters, such as harbour-joinery",
  ),
});

/** An organisation's details and logo; undefined for nobody's. */
export async function findDetails(
  { db }: ReadServices,
  organizationId: string,
): Promise<{ details: OrganizationDetails; logo: string | null } | undefined> {
  const [row] = await db
    .select({
      name: organizations.name,
      abn: organizations.abn,
      address: organizations.address,
      phone: organizations.phone,
      contactEmail: organizations.contactEmail,
      website: organizations.website,
      subdomain: organizations.subdomain,
      logo: organizations.logo,
    })
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (!row) return undefined;
  const { logo, ...details } = row;
  return { details, logo };
}

type Change = {
  details: OrganizationDetails;
  /** A new picture, null for none any more; left out: as it is. */
  logo?: string | null;
};

/**
 * Changes what the actor's organisation tells about itself. Nothing is written where nothing changes. A name that might pass
 * for another organisation's waits for an operator; the others are changed meanwhile.
 * @throws AppError 400 beside `subdomain` when it is taken; 409 DETAILS_CHANGED when another person changed them meanwhile, so that the audit entry's "from" is true
 * @returns whether anything changed; `waiting`: the name that waits now
 */
export async function changeDetails(
  services: NotifyServices,
  actor: Actor,
  { details: asked, logo }: Change,
): Promise<{ isNew: boolean; waiting?: string }> {
  const { db, clock } = services;
  const { organizationId, userId } = actor;
  const before = await findDetails(services, organizationId);
  if (!before) throw notFound();
  const named = await nameAsked(services, { organizationId, userId, name: asked.name, meanwhile: before.details.name });
  const details = { ...asked, name: named.name };
  const waiting = named.part && asked.name;
  const changed = changedDetails(before.details, details);
  const hasNewLogo = logo !== undefined && logo !== before.logo;
  const isNew = Object.keys(changed).length > 0 || hasNewLogo;
  if (!isNew && !named.part) return { isNew };
  const asRead = DETAIL_FIELDS.map((field) => {
    const value = before.details[field];
    return value === null ? isNull(organizations[field]) : eq(organizations[field], value);
  });
  const here = eq(organizations.id, organizationId);
  const still = db
    .select({ one: sql`1` })
    .from(organizations)
    .where(and(here, ...asRead));
  const result = await runCommand(services, actor, {
    conditions: [{ name: "details_changed", found: still }, ...named.conditions],
    uniques: { subdomain_taken: "organizations.subdomain" },
    statements: [
      db
        .update(organizations)
        .set({ ...details, ...(hasNewLogo ? { logo } : {}), updatedAt: clock.now() })
        .where(here),
      ...(changed.name ? [withdrawWaitingName(services, organizationId)] : []),
    ],
    audit: isNew
      ? [
          {
            action: "organization.details_changed",
            entityType: "organization",
            entityId: organizationId,
            details: { ...changed, ...(hasNewLogo ? { logo: logo === null ? "removed" : "changed" } : {}) },
          },
        ]
      : [],
    parts: named.part ? [named.part] : [],
    answer: { isNew, waiting },
  });
  if (result.ok) return result.answer;
  if (result.refused === "subdomain_taken") {
    throw invalidInput({ subdomain: ["Another organisation uses this subdomain. Choose another one."] });
  }
  throw new AppError("DETAILS_CHANGED", 409, "Someone else changed the details a moment ago. Reload and try again.");
}

/** The name it has may stay, and one that waits already is not asked for again. */
async function nameAsked(services: NotifyServices, asked: Parameters<typeof nameOrRequest>[1]) {
  const { organizationId, name, meanwhile } = asked;
  if (name === meanwhile) return { name, conditions: [] };
  const waiting = await findWaitingName(services, organizationId);
  return waiting?.name === name ? { name: meanwhile, conditions: [] } : nameOrRequest(services, asked);
}

/** Details as people read and type them; empty where nothing is given. */
export function toDetailValues(details: OrganizationDetails): Record<DetailField, string> {
  const { name, abn, address, phone, contactEmail, website, subdomain } = details;
  return {
    name,
    abn: abn ? formatAbn(abn) : "",
    address: address ?? "",
    phone: phone ? formatPhone(phone) : "",
    contactEmail: contactEmail ?? "",
    website: website ?? "",
    subdomain: subdomain ?? "",
  };
}
