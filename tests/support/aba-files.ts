import { writeAba, writeDetail, writeHeader } from "~/modules/payments/payment-files/aba";

/** Direct entry files for journeys: nothing of the database is needed to write one. */

const PAYER = { bank: "CBA", userName: "TEST PAYER", userId: "301500", description: "SUPPLIERS", date: "201126" };
const SENDER = { trace: { bsb: "082001", accountNumber: "987654321" }, remitter: "TEST PAYER", withholding: 0 };

type Payment = { title: string; accountNumber: string; amount: number; reference: string };

/** A file that pays these accounts of one branch; the first is in line 2. */
export function aDirectEntryFile(payments: readonly Payment[]): string {
  const lines = payments.map((payment) => {
    const line = { bsb: "062000", code: "50", ...payment };
    return { ...line, record: writeDetail({ ...SENDER, ...line, indicator: " " }) };
  });
  return writeAba(writeHeader(PAYER), lines);
}
