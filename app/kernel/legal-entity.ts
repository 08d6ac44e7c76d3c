import { formatAbn } from "~/kernel/abn";

/** The operator of this service, as configured; pages claim nothing else. */
export interface LegalEntity {
  /** Registered name, for instance "Example Pty Ltd". */
  name?: string;
  /** Eleven digits. */
  abn?: string;
}

/** "PayeeProof is operated by Example Pty Ltd, ABN 53 004 085 616."; null if no name is configured. */
export function describeLegalEntity({ name, abn }: LegalEntity): string | null {
  if (!name) return null;
  return `PayeeProof is operated by ${name}${abn ? `, ABN ${formatAbn(abn)}` : ""}.`;
}
