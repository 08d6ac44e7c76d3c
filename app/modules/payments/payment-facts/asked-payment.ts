import type { BankDetails } from "~/kernel/payee";
import type { Policy } from "~/modules/accounts/organizations/policy";
import type { FurtherFacts } from "~/modules/rules/facts";
import type { KnownPayee } from "./payees.server";
import type { PaymentLimits } from "./payment-limits";

/** A payment whose facts are asked for. */
export type AskedPayment = {
  to: { payeeId: string } | BankDetails;
  /** Integer cents, Australian dollars. */
  amount: number;
  reference: string;
  /** What only the caller can know: what the lines of one file say of each other. */
  further?: Pick<Partial<FurtherFacts>, "otherTitles" | "earlierLine" | "newDetails">;
};

/** What is the same for every payment that is asked for at once. */
export type FactsContext = {
  organizationId: string;
  policy: Pick<Policy, "timeZone" | "reverifyAfterMonths" | "firstPaymentLimitCents" | "secondPersonRequired">;
  /** Who records the payments or uploaded their file; null: no person. */
  recordedById: string | null;
  limits: PaymentLimits;
  /** The payment file that these payments are lines of: what clearing it recorded is no duplicate of its lines. */
  fileId?: string;
  /** Characters of a name that the file carries; null: all. */
  nameWidth: number | null;
};

/** A payment with its payee and with where the money goes. */
export type ReadPayment = AskedPayment & { payee: KnownPayee | null; account: BankDetails };
