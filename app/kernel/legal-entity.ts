import { formatAbn } from "~/kernel/abn";

/** Who runs this service, as configured; nothing is claimed that is not. */
export interface LegalEntity {
  /** Registered name, for instance "Example Pty Ltd". */
  name?: string;
  /** Eleven digits. */
  abn?: string;
}

/** "PayeeProof is operated by Example Pty Ltd, ABN 53 004 085 616."; null while no name is configured. */
export function describeLegalEntity({ name, abn }: LegalEntity): string | null {
  if (!name) return null;
  return `PayeeProof is operated by ${name}${abn ? `, ABN ${formatAbn(abn)}` : ""}.`;
}
