import type { ConnectableSystem } from "~/kernel/accounting-system";
import { maskAccountNumber } from "~/kernel/bank-account";
import type { DetailsOrigin } from "~/kernel/payee";
import { listEveryMember } from "~/modules/accounts/members/members.server";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { CommandAudit } from "~/modules/core/commands/run-command.server";
import {
  addPayees,
  checkFields,
  findKnownPayees,
  type JudgedRow,
  judgeReadable,
  judgeRow,
  type KnownPayee,
  toFilled,
} from "~/modules/payees/imports/judge-rows.server";
import { type CheckFields, type ReadRow, readPayeeRow } from "~/modules/payees/imports/read-payee";
import type { ColumnMapping } from "~/modules/payees/imports/table/columns";
import { fillPayees } from "~/modules/payees/payee.server";
import { isAskedFor, wantAnswers } from "~/modules/payees/verifications/account-questions.server";
import { holdAuthorisedPayments } from "~/modules/rules/payment-holds.statements.server";
import type { AccountingContact, ContactEdit } from "~/ports/accounting";
import type { ReadServices, Services, SystemActor, WriteServices } from "~/services-and-actor";
import { findContacts, type Integration, type KnownContact, replaceContacts } from "./integration.server";
import {
  type AccountJudgement,
  type Edited,
  isSameAccount,
  judgeAccount,
  judgeEdits,
  NO_COUNTS,
  type SyncCounts,
  type SyncSlice,
} from "./sync";

/** Reads an accounting system's supplier by the rules for import rows. Pure. */

const MAPPING: ColumnMapping = {
  name: [0],
  accountName: [1],
  bsb: [2],
  accountNumber: [3],
  abn: [4],
  email: [5],
  phone: [6],
  address: [7],
};

/** People typed the number rather than a spreadsheet, so its leading zeros are intact. */
const ZERO_COLUMNS = [3];

/** @param line distinguishes this contact's row from others on its page */
function readContact(contact: AccountingContact, line: number, check: CheckFields): ReadRow {
  const { name, accountName, account, abn, email, phone, address } = contact;
  const bsb = account && "bsb" in account ? account.bsb : "";
  const number = account && "text" in account ? account.text : (account?.accountNumber ?? "");
  const cells = [name, accountName, bsb, number, abn, email, phone, address].map((cell) => cell ?? "");
  return readPayeeRow({ line, cells }, { mapping: MAPPING, zeroColumns: ZERO_COLUMNS, check });
}

/** A supplier and what will be done with it. */
type JudgedContact = {
  contact: AccountingContact;
  /** What was stored about it before. */
  known: KnownContact | undefined;
} & (
  | { state: "archived" | "no_account" }
  /** `isNews`: a payee's account was replaced with something unreadable, and this was not known before. */
  | { state: "refused"; note: string; payee: KnownPayee | null; isNews: boolean }
  | { state: "linked"; row: JudgedRow; payee: KnownPayee | null; account: AccountJudgement | "added" }
);

type Readable = { contact: AccountingContact; row: JudgedRow["row"] };

/** Decides what to do with each supplier of a page at this moment, with three statements for all of them. */
async function judgeContacts(
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

/** The supplier has unreadable text in place of an account. For a payee, that counts as a change. */
async function judgeUnreadable(
  services: ReadServices,
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

/** A supplier that is linked to a payee. While its account differs, nothing else is imported. */
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

/** A supplier that is read for the first time: matched to a payee by account or ABN, or a new payee. */
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

/** The edits of a supplier in the accounting system, if they can be found out; empty otherwise. */
export type ListEdits = (contactId: string) => Promise<readonly ContactEdit[]>;

/**
 * For how many new suppliers per page the history is fetched, because each needs a call. A first sync brings far more,
 * for which it stays unknown who entered them.
 */
const MAX_ADDED_ASKED = 10;

type Linked = Extract<JudgedContact, { state: "linked" }>;
type Changed = JudgedContact & { payee: KnownPayee };

/** The account differs from the payee's, or is unreadable. */
const isChanged = (judged: JudgedContact): judged is Changed =>
  (judged.state === "linked" && judged.account === "changed" && judged.payee !== null) ||
  (judged.state === "refused" && judged.isNews);

/**
 * Looks up everything that a page of suppliers needs, and returns what to write. A differing account is never imported:
 * the payee keeps its details, its authorised payments are held again, and a person decides.
 */
export async function contactsSlice(
  services: WriteServices,
  actor: SystemActor,
  { integration, system, contacts }: Page,
  listEdits: ListEdits,
): Promise<SyncSlice> {
  const { organizationId } = actor;
  const judged = await judgeContacts(services, { organizationId, system }, contacts);
  const linked = judged.filter((each) => each.state === "linked");
  const changed = judged.filter(isChanged);
  const edits = await findEdits(services, { integration, judged, changed }, listEdits);
  const rows = judged.flatMap((each) => toStored(services, { organizationId, system }, each, edits));
  const added = linked.flatMap(({ row, account, contact }) =>
    account === "added"
      ? [{ ...row, origin: originOfAdded(services, { integration, system }, row, edits.get(contact.id)) }]
      : [],
  );
  return {
    statements: [
      ...(await addPayees(services, actor, added)),
      ...fillPayees(
        services,
        actor,
        linked.flatMap(({ row }) => toFilled(row)),
      ),
      ...replaceContacts(services, { organizationId, system }, rows),
      ...(await wantAnswersAbout(services, organizationId, changed)),
    ],
    audit: judged.flatMap((each) => auditOf(each, system, edits.get(each.contact.id))),
    parts: changed.map(({ payee }) =>
      holdAuthorisedPayments(services, actor, { payee, cause: "accounting_account_differs" }),
    ),
    counts: count(judged),
  };
}

/** Queues questions to banks about accounts that suppliers have and our payees do not, if the policy says so. */
async function wantAnswersAbout(services: WriteServices, organizationId: string, changed: readonly Changed[]) {
  const wanted = changed.flatMap((each) => {
    if (each.state !== "linked") return [];
    const { accountName, bsb, accountNumber } = each.row.row.details;
    return [{ accountName, bsb, accountNumber, cause: "supplier_changed" as const }];
  });
  if (!services.config.asksBanksAutomatically || wanted.length === 0) return [];
  const { askBanks } = await findPolicy(services, organizationId);
  return isAskedFor(askBanks, "supplier_changed") ? wantAnswers(services, organizationId, wanted) : [];
}

type Page = { integration: Integration; system: ConnectableSystem; contacts: readonly AccountingContact[] };

type Edits = ReadonlyMap<string, Edited>;

type Asked = { integration: Integration; judged: readonly JudgedContact[]; changed: readonly Changed[] };

/** Finds who edited the suppliers whose account is new to us. */
async function findEdits(services: WriteServices, { integration, judged, changed }: Asked, listEdits: ListEdits) {
  const histories = new Map<string, { edits: readonly ContactEdit[]; readTo: number | null }>();
  for (const { contact, known } of changed) {
    // If the account was read before with a different value, only later edits can have changed it.
    const readTo = known?.seenBsb == null ? null : integration.readTo;
    histories.set(contact.id, { edits: await listEdits(contact.id), readTo });
  }
  const added = judged.filter((each) => each.state === "linked" && each.account === "added");
  if (added.length <= MAX_ADDED_ASKED) {
    for (const { contact } of added) {
      const edits = await listEdits(contact.id);
      histories.set(contact.id, { edits, readTo: null });
      // The system has no history or does not respond, so do not ask about the other suppliers either.
      if (edits.length === 0) break;
    }
  }
  const isNamed = [...histories.values()].some(({ edits }) => edits.some(({ by }) => by !== null));
  const members = isNamed ? await listEveryMember(services, integration) : [];
  return new Map(
    [...histories].map(([contactId, { edits, readTo }]) => [contactId, judgeEdits(edits, readTo, members)]),
  );
}

const originOfAdded = (
  { clock }: Pick<Services, "clock">,
  { integration: { connectedById }, system }: Pick<Page, "integration" | "system">,
  { row: { details } }: Linked["row"],
  edited: Edited | undefined,
): DetailsOrigin => ({
  system,
  bsb: details.bsb,
  accountNumber: details.accountNumber,
  cameAt: clock.now(),
  editedBy: edited?.newest?.by ?? null,
  editorIds: edited?.editors.ids ?? [],
  isEditorKnown: edited?.editors.isKnown ?? false,
  connectedById,
});

/** The supplier as it is stored; undefined when it is stored like this already, or there is nothing to store. */
function toStored(
  { clock }: Pick<Services, "clock">,
  owner: { organizationId: string; system: ConnectableSystem },
  judged: JudgedContact,
  edits: Edits,
): KnownContact[] {
  const { contact, known, state } = judged;
  if (!known && (state === "archived" || state === "no_account")) return [];
  const now = clock.now();
  const before = known ?? { ...EMPTY, ...owner, contactId: contact.id, name: contact.name, state, updatedAt: now };
  const next: KnownContact = {
    ...before,
    name: contact.name,
    state,
    note: judged.state === "refused" ? judged.note : null,
  };
  if (isChanged(judged) && judged.state === "refused") {
    Object.assign(next, { seenBsb: null, seenAccountNumber: null }, noticed(edits.get(contact.id), now));
  }
  if (judged.state === "linked") Object.assign(next, linkedFields(judged, edits.get(contact.id), now));
  const isSame = known && (Object.keys(next) as (keyof KnownContact)[]).every((key) => next[key] === known[key]);
  return isSame ? [] : [{ ...next, updatedAt: now }];
}

const EMPTY = {
  payeeId: null,
  note: null,
  seenBsb: null,
  seenAccountNumber: null,
  noticedAt: null,
  editedBy: null,
  editedAt: null,
  editors: null,
  keptAt: null,
  keptById: null,
};

const NO_CHANGE = { noticedAt: null, editedBy: null, editedAt: null, editors: null, keptAt: null, keptById: null };

/** A differing account was found, and nobody has decided about it. */
const noticed = (edited: Edited | undefined, now: number) => ({
  ...NO_CHANGE,
  noticedAt: now,
  editedBy: edited?.newest?.by ?? null,
  editedAt: edited?.newest?.at ?? null,
  editors: edited?.editors ?? null,
});

function linkedFields({ row, account }: Linked, edited: Edited | undefined, now: number): Partial<KnownContact> {
  const { bsb, accountNumber } = row.row.details;
  const fields = {
    payeeId: row.payeeId,
    note: row.row.notes.join(" ") || null,
    seenBsb: bsb,
    seenAccountNumber: accountNumber,
  };
  if (account === "changed") return { ...fields, ...noticed(edited, now) };
  return account === "known" ? fields : { ...fields, ...NO_CHANGE };
}

const editOf = (edited: Edited | undefined) => ({
  editedBy: edited?.newest?.by ?? null,
  editedAt: edited?.newest?.at ?? null,
});

function auditOf(judged: JudgedContact, system: ConnectableSystem, edited: Edited | undefined): CommandAudit[] {
  if (judged.state === "linked") return auditOfLinked(judged, system, edited);
  if (!isChanged(judged)) return [];
  const details = { system, changes: [], isUnreadable: true, ...editOf(edited) };
  return [{ action: "payee.accounting_differs", entityId: judged.payee.id, details }];
}

function auditOfLinked(
  { row, account, payee }: Linked,
  system: ConnectableSystem,
  edited: Edited | undefined,
): CommandAudit[] {
  const entityId = row.payeeId;
  const { details } = row.row;
  if (account === "added") {
    const accountNumber = maskAccountNumber(details.accountNumber);
    return [{ action: "payee.added", entityId, details: { ...details, accountNumber, system, ...editOf(edited) } }];
  }
  if (account === "changed" && payee) {
    const changes = [
      { field: "bsb", from: payee.bsb, to: details.bsb },
      {
        field: "accountNumber",
        from: maskAccountNumber(payee.accountNumber),
        to: maskAccountNumber(details.accountNumber),
      },
    ].filter(({ from, to }) => from !== to);
    return [{ action: "payee.accounting_differs", entityId, details: { system, changes, ...editOf(edited) } }];
  }
  const settled = { action: "payee.accounting_agrees" as const, entityId, details: { system } };
  if (row.judgement.outcome !== "filled") return account === "settled" ? [settled] : [];
  const changes = Object.entries(row.judgement.fills).map(([field, to]) => ({ field, from: null, to }));
  const filled = { action: "payee.filled" as const, entityId, details: { changes, system } };
  return account === "settled" ? [settled, filled] : [filled];
}

const COUNTED_AS = { archived: "archived", no_account: "noAccount", refused: "refused" } as const;

function count(judged: readonly JudgedContact[]): SyncCounts {
  const counts = { ...NO_COUNTS, read: judged.length };
  for (const each of judged) {
    if (each.state === "linked") {
      if (each.account === "added") counts.added += 1;
      else if (each.account === "changed") counts.changed += 1;
      else if (each.row.judgement.outcome === "filled") counts.filled += 1;
    } else counts[COUNTED_AS[each.state]] += 1;
  }
  return counts;
}
