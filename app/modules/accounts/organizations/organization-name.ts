import { splitDomain } from "~/kernel/domain-name";
import { isFreeMailDomain } from "~/kernel/email";

const MIN_LABEL_LENGTH = 2;

/**
 * The name that an email domain suggests for a new organisation: its registered label in words, once that is at least two
 * characters long (specification, section 2). Empty for mail providers, whose domain says nothing.
 *
 * @example suggestOrganizationName("harbour-foods.com.au") // "Harbour Foods"
 */
export function suggestOrganizationName(domain: string): string {
  if (isFreeMailDomain(domain)) return "";
  const { name, suffix } = splitDomain(domain);
  if (suffix === "" || name.length < MIN_LABEL_LENGTH) return "";
  return name
    .split("-")
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
