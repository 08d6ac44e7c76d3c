import { paymentFileLines } from "@db/database";
import { asc, eq } from "drizzle-orm";
import { writeAba, writeDetail, writeHeader } from "~/modules/payments/payment-files/aba";
import { uploadFile } from "~/modules/payments/payment-files/upload-file.server";
import type { Actor, Services } from "~/services-and-actor";
import { peek } from "./payees";

/** Direct entry files as an accounting system writes them. */

export type ALine = {
  accountName: string;
  bsb: string;
  accountNumber: string;
  amount?: number;
  reference?: string;
  code?: string;
  indicator?: " " | "N";
};

const PAYER = { bank: "CBA", userName: "HARBOUR JOINERY", userId: "301500", description: "SUPPLIERS", date: "201126" };

let references = 5000;

/** A file that pays these accounts, in this order: the first is in line 2. */
export function anAbaFile(lines: readonly ALine[]): string {
  const written = lines.map(({ accountName, bsb, accountNumber, ...given }) => {
    const code = given.code ?? "50";
    const amount = given.amount ?? 125_000;
    const record = writeDetail({
      bsb,
      accountNumber,
      indicator: given.indicator ?? " ",
      code,
      amount,
      title: accountName,
      reference: given.reference ?? `INV-${references++}`,
      trace: { bsb: "082001", accountNumber: "987654321" },
      remitter: "HARBOUR JOINERY",
      withholding: 0,
    });
    return { record, code, amount };
  });
  return writeAba(writeHeader(PAYER), written);
}

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** An uploaded file, checked. */
export async function anUploadedFile(services: Services, actor: Actor, lines: readonly ALine[], name = "run.aba") {
  const bytes = bytesOf(anAbaFile(lines));
  const { fileId } = await uploadFile(services, actor, { name, bytes });
  return { fileId, bytes };
}

export const linesOf = (fileId: string) =>
  peek.select().from(paymentFileLines).where(eq(paymentFileLines.fileId, fileId)).orderBy(asc(paymentFileLines.line));
