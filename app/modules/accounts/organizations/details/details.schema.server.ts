import * as z from "zod";
import { isEmail, normalizeEmail } from "~/kernel/email";
import { abnField, organizationNameField } from "~/kernel/fields.schema.server";
import { parsePhone } from "~/kernel/phone";
import { cleanText, isStorable } from "~/kernel/text";
import type { OrganizationDetails } from "./details";

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
