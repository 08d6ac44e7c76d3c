import { decodeBytes } from "~/kernel/text-decoding";
import type { Services } from "~/services";
import { getBytes } from "./file-bytes.queries.server";
import type { PaymentFileDetail } from "./payment-file.queries.server";
import { type ReadFile, readPaymentFile } from "./read-file";

/** An uploaded file, read again as it was read then: by the columns that were chosen for it, whatever is chosen since. */
export async function readStoredFile(
  services: Pick<Services, "db" | "secrets">,
  organizationId: string,
  { id, byteCount, format, columns }: PaymentFileDetail,
): Promise<ReadFile> {
  const bytes = await getBytes(services, { organizationId, ownerId: id, byteCount });
  const known = columns ? { [columns.signature]: columns.mapping } : {};
  const reading = readPaymentFile(decodeBytes(bytes), { isPasted: format === "pasted", known });
  if (!reading.ok) throw new Error("a stored payment file can no longer be read");
  return reading.file;
}
