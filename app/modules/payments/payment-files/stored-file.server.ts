import { decodeBytes } from "~/kernel/text-decoding";
import type { Services } from "~/services";
import { getBytes } from "./file-bytes.server";
import type { PaymentFileDetail } from "./payment-file.server";
import { type ReadFile, readPaymentFile } from "./read-file";

/**
 * An uploaded file, read again as it was read then: by the columns that were chosen for it and, of a list of bills,
 * to the accounts of that day, whatever has changed since.
 */
export async function readStoredFile(
  services: Pick<Services, "db" | "secrets">,
  organizationId: string,
  { id, byteCount, format, columns }: PaymentFileDetail,
): Promise<ReadFile> {
  const bytes = await getBytes(services, { organizationId, ownerId: id, byteCount });
  const isOfBills = columns !== null && "accounts" in columns;
  const chosen = isOfBills ? columns.chosen : columns;
  const asThen = {
    ...(isOfBills ? { accounts: columns.accounts } : {}),
    known: chosen ? { [chosen.signature]: chosen.mapping } : {},
  };
  const reading = readPaymentFile(decodeBytes(bytes), { isPasted: format === "pasted", ...asThen });
  if (!reading.ok) throw new Error("a stored payment file can no longer be read");
  return reading.file;
}
