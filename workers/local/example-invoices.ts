import { type Bill, writeLines, writeUbl } from "@simulators/senders/bill";
import { type Written, writeMessage } from "@simulators/senders/message";
import { picturePdf, textPdf } from "@simulators/senders/pdf";
import type { InvoiceDecision } from "~/kernel/enums";
import { decideInvoice } from "~/modules/payments/invoices/decide-invoice.server";
import { findMailSettings, renewMailAddress } from "~/modules/payments/invoices/invoice-settings.server";
import { receiveMail } from "~/modules/payments/invoices/receive-mail.server";
import { takeInInvoice } from "~/modules/payments/invoices/take-in-invoice.server";
import { detailsOf, type Office, OTHER_BSB } from "./example-office";

/** The invoices of the example, uploaded or sent by email, and read by the product's own reader. */

const CUSTOMER = { name: "Harbour Joinery Pty Ltd", abn: "95301500142" };

type Account = Pick<Bill, "bsb" | "accountNumber">;

/** A supplier's invoice, to the account that it has here or to another one. */
const billOf = (name: string, number: string, what: string, total: number, account: Account = detailsOf(name)) => ({
  ...detailsOf(name),
  ...{ number, what, total, customer: CUSTOMER },
  ...{ bsb: account.bsb, accountNumber: account.accountNumber },
});

/** The invoice is a PDF, unless it is the text of the email. */
type Mailed = Partial<Omit<Written, "from" | "attachment">> & { from: string; isInText?: true };

const USUAL = ["Good morning,", "our invoice is attached."];

/** How invoices reach the office, and how they are decided. */
function startPostRoom({ then, alex, sam }: Office) {
  const ids = new Map<string, string>();

  async function upload(fileName: string, document: Uint8Array<ArrayBuffer> | string): Promise<void> {
    const bytes = typeof document === "string" ? new TextEncoder().encode(document) : document;
    await takeInInvoice(then, sam, { fileName, bytes, source: "upload" });
  }

  async function mail(draft: Omit<Bill, "at">, { from, isInText, lines = USUAL, ...given }: Mailed): Promise<void> {
    const { accountName: name, number } = draft;
    const settings = await findMailSettings(then, alex.organizationId);
    const printed = writeLines({ ...draft, at: then.clock.now() });
    const written: Written = {
      ...{ to: settings?.address ?? "", subject: `Invoice ${number}`, dmarc: "pass" },
      ...{ at: then.clock.now(), id: then.ids.next(), from: { name, address: from } },
      lines: isInText ? [...lines, "", ...printed] : lines,
      ...(!isInText && { attachment: { fileName: `${number}.pdf`, bytes: textPdf(printed) } }),
      ...given,
    };
    const bytes = new TextEncoder().encode(writeMessage(written));
    const raw = new Blob([bytes]).stream();
    const received = await receiveMail(then, { from, to: written.to, size: bytes.length, raw });
    if (received.isRefused) throw new Error(`the email with ${number} was refused: ${received.reason}`);
    ids.set(number, received.invoiceId);
  }

  const decide = (number: string, decision: InvoiceDecision, reason: string) =>
    decideInvoice(then, alex, { invoiceId: ids.get(number) ?? "", decision, reason });

  return { upload, mail, decide };
}

/** Those of ordinary weeks, of a genuine change and of a forged one, and those of the three frauds. */
export function receiveInvoices(office: Office): void {
  const { then, alex, sam, on, paid } = office;
  const { upload, mail, decide } = startPostRoom(office);

  on(60, 9, 0, () => renewMailAddress(then, alex));
  const deposit = billOf("Coastal Glass Supplies", "CG-2041", "Shopfront glazing, deposit", 615_000);
  on(40, 9, 10, () => mail(deposit, { from: "accounts@coastalglass.example" }));
  on(39, 15, 0, () => paid("Coastal Glass Supplies", deposit.total, deposit.number));
  const hinges = billOf("Ironbark Hinges", "IH-2291", "Hinges and drawer runners", 214_500);
  on(38, 9, 20, () => upload("IH-2291.pdf", textPdf(writeLines({ ...hinges, at: then.clock.now() }))));
  on(37, 15, 0, () => paid("Ironbark Hinges", hinges.total, hinges.number));
  const power = billOf("Tidewater Energy", "TE-88104", "Workshop electricity", 132_880);
  on(22, 9, 15, () => mail(power, { from: "accounts@tidewaterenergy.example" }));
  const paper = billOf("Magpie Office Supplies", "MOS-5177", "Paper and toner", 48_730);
  on(18, 9, 25, () => upload("MOS-5177.xml", writeUbl({ ...paper, at: then.clock.now() })));

  // A forged change, and a genuine one, which its supplier confirmed.
  const floor = { bsb: OTHER_BSB, accountNumber: "55193902" };
  const forged = billOf("Karri Floors", "KF-1190", "Showroom floor", 1_284_000, floor);
  const news = "Please note that our bank details have changed. Use the new account from now on.";
  on(45, 9, 20, () =>
    mail(forged, { from: "accounts@karrifloors.example", dmarc: "fail", lines: ["Hello,", news], isInText: true }),
  );
  const isForged = "The supplier did not change its account: the email was forged";
  on(45, 13, 5, () => decide(forged.number, "reject", isForged));
  const moved = { bsb: "082001", accountNumber: "71320455" };
  const freight = billOf("Bayline Freight", "BF-7702", "Freight in the last month", 236_500, moved);
  const told = "We have changed banks: our new account is on this invoice. Call Tess if in doubt.";
  on(31, 9, 10, () =>
    mail(freight, { from: "accounts@baylinefreight.example", lines: ["Hi Sam,", told], isInText: true }),
  );
  on(31, 11, 40, () => decide(freight.number, "accept", "Tess Okafor confirmed it on the number we had before"));
  on(30, 15, 0, () => paid("Bayline Freight", freight.total, freight.number));
  const next = billOf("Bayline Freight", "BF-7748", "Freight in the last month", 219_450, moved);
  on(5, 9, 10, () =>
    mail(next, { from: sam.email, subject: `Fwd: Invoice ${next.number}`, lines: ["To check."], isInText: true }),
  );

  // The three frauds that need a decision today. The first supplier has denied the change.
  const wiring = { bsb: OTHER_BSB, accountNumber: "39264471" };
  const rewired = billOf("Wattle Creek Electrical", "WC-3316", "Switchboard and wiring", 418_600, wiring);
  on(4, 9, 40, () =>
    mail(rewired, {
      ...{ from: "accounts@wattlecreek.example", replyTo: "wattlecreek.accounts@webmail.example" },
      ...{ lines: ["Hello Sam,", "please pay this one by Friday."], isInText: true },
    }),
  );
  on(3, 13, 0, () => decide(rewired.number, "reject", "They wrote that they have not changed banks"));
  const glazing = { bsb: OTHER_BSB, accountNumber: "48120902" };
  const balance = billOf("Coastal Glass Supplies", "CG-2088", "Shopfront glazing, balance", 1_845_000, glazing);
  on(3, 15, 0, () =>
    mail(balance, {
      from: "accounts@coasta1glass.example",
      lines: ["Hello,", "we have a new email address, and our bank details have changed.", "The balance is overdue."],
    }),
  );
  const timber = { ...billOf("Harbourside Timbers", "HT-4471", "Spotted gum, 4 packs", 932_050), abn: null };
  const imitated = { accountName: "Harbourside Timber Trading Pty Ltd", bsb: OTHER_BSB, accountNumber: "60817330" };
  on(2, 12, 30, () => mail({ ...timber, ...imitated }, { from: "office@harbourside-timbers.example" }));

  // A scan without text, and a supplier whom nobody has added yet.
  on(1, 9, 50, () => upload("Scan of Numbat Pest Control.pdf", picturePdf(1)));
  const unknown = { accountName: "Lyrebird Scaffold Hire Pty Ltd", abn: "29640718255" };
  const scaffold = { ...unknown, bsb: "062000", accountNumber: "40718255", customer: CUSTOMER };
  const hired = { ...scaffold, number: "LSH-0093", what: "Scaffold hire, two weeks", total: 198_000 };
  on(1, 10, 20, () => mail(hired, { from: "accounts@lyrebirdhire.example" }));
}
