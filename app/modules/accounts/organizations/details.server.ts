import { parseWithZod } from "@conform-to/zod/v4";
import { columnsOf, organizations, rowIn } from "@db/database";
import { and, eq, isNull } from "drizzle-orm";
import * as z from "zod";
import { formatAbn } from "~/kernel/abn";
import { AppError, type FieldErrors, invalidInput, notFound } from "~/kernel/app-error";
import { isEmail, normalizeEmail } from "~/kernel/email";
import { abnField, organizationNameField } from "~/kernel/fields.schema.server";
import { formatPhone, parsePhone } from "~/kernel/phone";
import { plainWords } from "~/kernel/plain-issues";
import { cleanText, isStorable } from "~/kernel/text";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Actor, ReadServices, WriteServices } from "~/services-and-actor";
import { changedDetails, DETAIL_FIELDS, type DetailField, type OrganizationDetails, readLogo } from "./details";
import { findWaitingName, requestName, withdrawWaitingName } from "./name-requests.server";

/** Parses the details form. @throws AppError 400 with the sentences beside their fields */
export async function parseDetailsForm(
  form: FormData,
): Promise<{ details: OrganizationDetails; logo?: string | null }> {
  const submission = parseWithZod(form, { schema: detailsSchema, error: plainWords });
  const { logo, problem } = await logoOf(form);
  const errors: FieldErrors = {};
  if (submission.status !== "success") {
    for (const [field, messages] of Object.entries(submission.error ?? {})) if (messages) errors[field] = messages;
  }
  if (problem) errors.logo = [problem];
  if (submission.status !== "success" || problem) throw invalidInput(errors);
  return { details: submission.value, logo };
}

/** A new logo; null to remove it; neither if the field was left alone. */
async function logoOf(form: FormData): Promise<{ logo?: string | null; problem?: string }> {
  const file = form.get("logo");
  if (file instanceof File && file.size > 0) return readLogo(new Uint8Array(await file.arrayBuffer()));
  return form.get("removeLogo") === "on" ? { logo: null } : {};
}

const MAX_ADDRESS = 500;
const MAX_WEBSITE = 200;
const MAX_INPUT = 2_000;

/** An optional field: the value from `read`, or the error sentence. */
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

/** Parses a web address, adding `https://` if it is missing. */
function readWebsite(text: string): string | undefined {
  const address = /^[a-z]+:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, username, href } = new URL(address);
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && hostname.includes(".") && username === "" && href.length <= MAX_WEBSITE ? href : undefined;
}

/** Parses one plain label of a domain name (RFC 1035, section 2.3.1), in lower case; refuses punycode prefixes. */
function readSubdomain(text: string): string | undefined {
  const label = text.toLowerCase();
  return /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label) && !label.startsWith("xn--") ? label : undefined;
}

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

/** An organisation's details and logo; undefined when it does not exist. */
export async function findDetails({ db }: ReadServices, organizationId: string) {
  const [row] = await db
    .select(columnsOf(organizations, "name", "abn", "address", "phone", "contactEmail", "website", "subdomain", "logo"))
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (!row) return undefined;
  const { logo, ...details } = row;
  return { details, logo };
}

type Change = {
  details: OrganizationDetails;
  /** A new logo; null to remove it; absent: unchanged. */
  logo?: string | null;
};

/**
 * Changes the details of the actor's organisation. Writes nothing if nothing changes. A name that could be mistaken for
 * another organisation's waits for an operator's approval; other fields change at once.
 * @throws AppError 400 beside `subdomain` when it is taken; 409 DETAILS_CHANGED when another person changed them
 * meanwhile, so that the old values in the audit entry are correct
 * @returns whether anything changed; `waiting`: the name that now waits
 */
export async function changeDetails(
  services: WriteServices,
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
  const still = rowIn(db, organizations).where(and(here, ...asRead));
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
  throw new AppError("DETAILS_CHANGED", "Someone else changed the details a moment ago. Reload and try again.");
}

/** The present name needs no approval, and a waiting name is not requested again. */
async function nameAsked(services: WriteServices, asked: Parameters<typeof requestName>[1]) {
  const { organizationId, name, meanwhile } = asked;
  if (name === meanwhile) return { name, conditions: [] };
  const waiting = await findWaitingName(services, organizationId);
  return waiting?.name === name ? { name: meanwhile, conditions: [] } : requestName(services, asked);
}

/** The details as form values; empty when absent. */
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
