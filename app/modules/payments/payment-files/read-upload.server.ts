import { findPayeesByName } from "~/modules/payments/payment-facts/payees-by-name.server";
import type { ReadServices } from "~/services";
import { type FileReading, type ReadingOptions, readPaymentFile } from "./read-file";

/** Reads an uploaded text. A list of bills is paid to the accounts that its suppliers have as payees now. */
export async function readUpload(
  services: ReadServices,
  organizationId: string,
  { text, ...options }: ReadingOptions & { text: string },
): Promise<FileReading> {
  const reading = readPaymentFile(text, options);
  if (reading.ok || !reading.suppliers) return reading;
  const payees = await findPayeesByName(services, organizationId, reading.suppliers);
  return readPaymentFile(text, { ...options, accounts: Object.fromEntries(payees) });
}
