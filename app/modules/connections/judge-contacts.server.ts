import type { ConnectableSystem } from "~/kernel/accounting-system";
import { checkFields } from "~/modules/payees/imports/check-fields.server";
import { findKnownPayees, type JudgedRow, judgeReadable } from "~/modules/payees/imports/judge-rows.server";
import { judgeRow, type KnownPayee } from "~/modules/payees/imports/row-judgement";
import type { AccountingContact } from "~/ports/accounting";
import type { Services } from "~/services";
import { type AccountJudgement, isSameAccount, judgeAccount } from "./contact-judgement";
import { findContacts, type KnownContact } from "./integration.server";
import { readContact } from "./read-contact";

/** A supplier with what becomes of it. */
export type JudgedContact = {
  contact: AccountingContact;
  /** What was known of it. */
  known: KnownContact | undefined;
} & (
  | { state: "archived" | "no_account" }
  /** `isNews`: the account of a payee was replaced by something that cannot be read, and was not so before. */
  | { state: "refused"; note: string; payee: KnownPayee | null; isNews: boolean }
  | { state: "linked"; row: JudgedRow; payee: KnownPayee | null; account: AccountJudgement | "added" }
);

type Readable = { contact: AccountingContact; row: JudgedRow["row"] };

/** What becomes of each supplier of a page, as things stand now: three statements for all of them. */
export async function judgeContacts(
  services: Pick<Services, "db" | "ids">,
  { organizationId, system }: { organizationId: string; system: ConnectableSystem },
  contacts: readonly AccountingContact[],
): Promise<JudgedContact[]> {
  const contactIds = contacts.map(({ id }) => id);
  const known = await findContacts(services, { organizationId }, { system, contactIds });
  const left: JudgedContact[] = [];
  const unreadable: Unreadable[] = [];
  const readable: Readable[] = [];
  for (const [line, contact] of contacts.entries()) {
    const base = { contact, known: known.get(contact.id) };
    const row = readContact(contact, line, checkFields);
    if (contact.isArchived) left.push({ ...base, state: "archived" });
    else if ("details" in row) readable.push({ contact, row });
    else if (row.refused === "no_account") left.push({ ...base, state: "no_account" });
    else unreadable.push({ ...base, note: [row.message, ...row.notes].join(" ") });
  }
  const refused = await judgeUnreadable(services, organizationId, unreadable);
  return [...left, ...refused, ...(await judgeAccounts(services, organizationId, readable, known))];
}

type Unreadable = Pick<JudgedContact, "contact" | "known"> & { note: string };

/** Something that cannot be read stands in the place of an account. Of a payee it is a change like any other. */
async function judgeUnreadable(
  services: Pick<Services, "db">,
  organizationId: string,
  unreadable: readonly Unreadable[],
): Promise<JudgedContact[]> {
  if (unreadable.length === 0) return [];
  const ids = unreadable.flatMap(({ known }) => known?.payeeId ?? []);
  const payees = await findKnownPayees(services, organizationId, ids);
  return unreadable.map((each) => {
    const payee = payees.get(each.known?.payeeId ?? "") ?? null;
    const wasSo = each.known?.state === "refused" && each.known.note === each.note;
    return { ...each, state: "refused" as const, payee, isNews: payee !== null && !wasSo };
  });
}

async function judgeAccounts(
  services: Pick<Services, "db" | "ids">,
  organizationId: string,
  readable: readonly Readable[],
  known: ReadonlyMap<string, KnownContact>,
): Promise<JudgedContact[]> {
  const payeeIdOf = ({ contact }: Readable) => known.get(contact.id)?.payeeId ?? null;
  const linkedIds = readable.flatMap((each) => payeeIdOf(each) ?? []);
  const payees = await findKnownPayees(services, organizationId, linkedIds);
  const fresh = readable.filter((each) => !payees.has(payeeIdOf(each) ?? ""));
  const matched = await judgeReadable(
    services,
    organizationId,
    fresh.map(({ row }) => row),
  );
  const linked = readable.flatMap((each) => {
    const payee = payees.get(payeeIdOf(each) ?? "");
    return payee ? [judgeLinked(each, payee, known.get(each.contact.id))] : [];
  });
  const first = matched.flatMap((row, at) => {
    const each = fresh[at];
    return each ? [judgeFirst(each, row, known.get(each.contact.id))] : [];
  });
  return [...linked, ...first];
}

/** A supplier that is a payee already. While its account differs nothing else of it is taken over. */
function judgeLinked({ contact, row }: Readable, payee: KnownPayee, known: KnownContact | undefined): JudgedContact {
  const account = judgeAccount(row.details, {
    seen: seenOf(known),
    payee,
    isOpen: known?.noticedAt != null && known.keptAt === null,
  });
  const judgement: JudgedRow["judgement"] = isSameAccount(row.details, payee)
    ? judgeRow(row.details, { byAccount: payee, byAbn: [] })
    : { outcome: "differs", known: payee, fills: {}, message: "" };
  return { contact, known, state: "linked", row: { row, judgement, payeeId: payee.id }, payee, account };
}

/** A supplier that is read for the first time: a payee found by its account or its ABN, or a new one. */
function judgeFirst({ contact, row }: Readable, judged: JudgedRow, known: KnownContact | undefined): JudgedContact {
  const base = { contact, known, state: "linked" as const, row: judged };
  if (judged.judgement.outcome === "added") return { ...base, payee: null, account: "added" };
  const payee = judged.judgement.known;
  return { ...base, payee, account: isSameAccount(row.details, payee) ? "same" : "changed" };
}

function seenOf(known: KnownContact | undefined) {
  if (known?.seenBsb == null || known.seenAccountNumber === null) return null;
  return { bsb: known.seenBsb, accountNumber: known.seenAccountNumber };
}
