import type { OrganizationRole } from "~/kernel/enums";
import type { FurtherFacts } from "~/modules/payment-rules/facts";
import type { CsvMapping } from "./csv/columns";
import type { PayerDetails } from "./payer";

/** What an organisation has chosen for its payment files. */
export type FileSettings = {
  /** Columns of tables, by the signature of their headings. */
  mappings: Record<string, CsvMapping>;
  payer: PayerDetails | null;
  /** Integer cents; null: no limit. */
  memberLimitCents: number | null;
  adminLimitCents: number | null;
  workingHours: FurtherFacts["workingHours"];
};

export const DEFAULT_SETTINGS: FileSettings = {
  mappings: {},
  payer: null,
  memberLimitCents: null,
  adminLimitCents: null,
  workingHours: null,
};

/** How much this role may approve of one payment, in cents; null: any amount. */
export function approvalLimitOf(settings: FileSettings, role: OrganizationRole | null): number | null {
  return role === "admin" ? settings.adminLimitCents : settings.memberLimitCents;
}
