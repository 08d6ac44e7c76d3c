import { maskAccountNumber } from "~/kernel/account-number";
import type { ConnectableSystem } from "~/kernel/accounting-system";
import type { SystemActor } from "~/kernel/actor";
import type { CommandAudit } from "~/modules/commands/run-command.server";
import { addPayees, toFilled } from "~/modules/imports/add-payees.statements.server";
import type { KnownPayee } from "~/modules/imports/row-judgement";
import { fillPayees } from "~/modules/payees/payee.statements.server";
import { holdAuthorisedPayments } from "~/modules/payment-holds/payment-holds.statements.server";
import type { Services, WriteServices } from "~/services";
import type { AccountingContact, LastEdit } from "./accounting.port";
import type { KnownContact } from "./integration.queries.server";
import { replaceContacts } from "./integration.statements.server";
import { type JudgedContact, judgeContacts } from "./judge-contacts.queries.server";
import { NO_COUNTS, type SyncCounts } from "./sync-counts";
import type { SyncSlice } from "./sync-slice.server";

type Taking = WriteServices & Pick<Services, "secrets">;

/** Who last edited a supplier there, as far as that can be found out. */
export type FindEdit = (contactId: string) => Promise<LastEdit | null>;

type Linked = Extract<JudgedContact, { state: "linked" }>;
type Changed = JudgedContact & { payee: KnownPayee };

/** Another account than the payee's, or none that can be read in its place. */
const isChanged = (judged: JudgedContact): judged is Changed =>
  (judged.state === "linked" && judged.account === "changed" && judged.payee !== null) ||
  (judged.state === "refused" && judged.isNews);

/**
 * Looks up everything that a page of suppliers needs, and gives what is to be written. Another account there is never
 * taken over: the payee keeps its details, its authorised payments are held again, and a person decides.
 */
export async function contactsSlice(
  services: Taking,
  actor: SystemActor,
  { system, contacts }: { system: ConnectableSystem; contacts: readonly AccountingContact[] },
  findEdit: FindEdit,
): Promise<SyncSlice> {
  const { organizationId } = actor;
  const judged = await judgeContacts(services, { organizationId, system }, contacts);
  const linked = judged.filter((each) => each.state === "linked");
  const added = linked.filter(({ account }) => account === "added").map(({ row }) => row);
  const changed = judged.filter(isChanged);
  const edits = new Map<string, LastEdit | null>();
  for (const { contact } of changed) edits.set(contact.id, await findEdit(contact.id));
  const rows = judged.flatMap((each) => toStored(services, { organizationId, system }, each, edits));
  return {
    statements: [
      ...(await addPayees(services, actor, added)),
      ...fillPayees(
        services,
        actor,
        linked.flatMap(({ row }) => toFilled(row)),
      ),
      ...replaceContacts(services, { organizationId, system }, rows),
    ],
    audit: judged.flatMap((each) => auditOf(each, system, edits.get(each.contact.id) ?? null)),
    parts: changed.map(({ payee }) =>
      holdAuthorisedPayments(services, actor, { payee, cause: "accounting_account_differs" }),
    ),
    counts: count(judged),
  };
}

/** The supplier as it is kept; nothing where it is kept so already, or where there is nothing to keep. */
function toStored(
  { clock }: Pick<Services, "clock">,
  owner: { organizationId: string; system: ConnectableSystem },
  judged: JudgedContact,
  edits: ReadonlyMap<string, LastEdit | null>,
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
    const edit = edits.get(contact.id) ?? null;
    const seen = { seenBsb: null, seenAccountNumber: null };
    Object.assign(next, NO_CHANGE, seen, { noticedAt: now, editedBy: edit?.by ?? null, editedAt: edit?.at ?? null });
  }
  if (judged.state === "linked") Object.assign(next, linkedFields(judged, edits.get(contact.id) ?? null, now));
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
  keptAt: null,
  keptById: null,
};

const NO_CHANGE = { noticedAt: null, editedBy: null, editedAt: null, keptAt: null, keptById: null };

function linkedFields({ row, account }: Linked, edit: LastEdit | null, now: number): Partial<KnownContact> {
  const { bsb, accountNumber } = row.row.details;
  const fields = {
    payeeId: row.payeeId,
    note: row.row.notes.join(" ") || null,
    seenBsb: bsb,
    seenAccountNumber: accountNumber,
  };
  if (account === "changed") {
    return { ...fields, ...NO_CHANGE, noticedAt: now, editedBy: edit?.by ?? null, editedAt: edit?.at ?? null };
  }
  return account === "known" ? fields : { ...fields, ...NO_CHANGE };
}

function auditOf(judged: JudgedContact, system: ConnectableSystem, edit: LastEdit | null): CommandAudit[] {
  if (judged.state === "linked") return auditOfLinked(judged, system, edit);
  if (!isChanged(judged)) return [];
  const details = { system, changes: [], isUnreadable: true, editedBy: edit?.by ?? null, editedAt: edit?.at ?? null };
  return [{ action: "payee.accounting_differs", entityType: "payee", entityId: judged.payee.id, details }];
}

function auditOfLinked(
  { row, account, payee }: Linked,
  system: ConnectableSystem,
  edit: LastEdit | null,
): CommandAudit[] {
  const onPayee = { entityType: "payee", entityId: row.payeeId } as const;
  const { details } = row.row;
  if (account === "added") {
    const accountNumber = maskAccountNumber(details.accountNumber);
    return [{ ...onPayee, action: "payee.added", details: { ...details, accountNumber, system } }];
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
    const editedAt = edit ? edit.at : null;
    return [
      {
        ...onPayee,
        action: "payee.accounting_differs",
        details: { system, changes, editedBy: edit?.by ?? null, editedAt },
      },
    ];
  }
  const settled = { ...onPayee, action: "payee.accounting_agrees" as const, details: { system } };
  if (row.judgement.outcome !== "filled") return account === "settled" ? [settled] : [];
  const changes = Object.entries(row.judgement.fills).map(([field, to]) => ({ field, from: null, to }));
  const filled = { ...onPayee, action: "payee.filled" as const, details: { changes, system } };
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
