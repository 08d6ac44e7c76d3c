import { formatAbn } from "~/kernel/abn";
import { formatPhone } from "~/kernel/phone";
import type { DetailField, OrganizationDetails } from "./details";

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
