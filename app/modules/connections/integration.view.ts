import { type ConnectableSystem, SYSTEM_NAMES, systemName } from "~/kernel/accounting-system";
import { formatBsb, maskAccountNumber } from "~/kernel/bank-account";
import { formatDate, showTime, type Zone } from "~/kernel/dates";
import type { IntegrationStatus } from "~/kernel/enums";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { formatCount } from "~/kernel/text";
import type { Integration, listOpenChanges } from "./integration.server";
import type { SyncCounts } from "./sync";

export type ShownIntegration = ReturnType<typeof showIntegration>;
export type ShownChange = ReturnType<typeof showChange>;

/** The data that integration pages show: the server makes every sentence. */

const STATUS_WORDS: Readonly<Record<IntegrationStatus | "none", string>> = {
  none: "Not connected",
  choosing: "Choose the books",
  connected: "Connected",
  broken: "Connection lost",
  disconnected: "Not connected",
};

const OUTCOMES: Readonly<Record<ConnectableSystem, string>> = {
  xero: "A payment recorded here becomes successful when Xero has reconciled it and it went to the payee’s current account.",
  myob: "MYOB does not say which account a payment went to, so its payments change nothing here.",
};

export function showIntegration(system: ConnectableSystem, row: Integration | undefined, zone: Zone) {
  const status = row?.status ?? ("none" as const);
  const isReading = status === "connected" && (row?.syncStartedAt != null || row?.wantedAt != null);
  return {
    system,
    name: SYSTEM_NAMES[system],
    status,
    statusWord: STATUS_WORDS[status],
    ledgerName: status === "connected" || status === "broken" ? (row?.ledgerName ?? null) : null,
    /** The results of the last or running sync. */
    summary: row?.counts ? countsSentence(row.counts) : "",
    isReading,
    lastSync: row?.lastSyncAt == null ? null : showTime(row.lastSyncAt, zone),
    error: row?.lastError ?? null,
    /** How its payments affect those recorded here. */
    outcomeSentence: OUTCOMES[system],
    choices: status === "choosing" ? (row?.choices ?? []).map(({ id, name }) => ({ id, name })) : [],
  };
}

/** "12 suppliers read: 3 new payees, 1 with different bank details. 8 approved bills read." */
function countsSentence(counts: SyncCounts): string {
  const { read, added, filled, changed, noAccount, refused, archived, bills = 0, outcomes = 0 } = counts;
  const parts = [
    added > 0 ? formatCount(added, "new payee") : "",
    filled > 0 ? `${formatCount(filled)} filled in` : "",
    changed > 0 ? `${formatCount(changed)} with different bank details` : "",
    noAccount > 0 ? `${formatCount(noAccount)} without a bank account` : "",
    refused > 0 ? `${formatCount(refused)} with a bank account that cannot be used` : "",
    archived > 0 ? `${formatCount(archived)} archived there` : "",
  ].filter(Boolean);
  const more = [
    bills > 0 ? ` ${formatCount(bills, "approved bill")} read.` : "",
    outcomes > 0 ? ` ${formatCount(outcomes, "payment")} marked successful.` : "",
  ];
  return `${formatCount(read, "supplier")} read${parts.length > 0 ? `: ${parts.join(", ")}` : ""}.${more.join("")}`;
}

type Change = Awaited<ReturnType<typeof listOpenChanges>>[number];

/** @param isWhole shows full account numbers, for the person who decides */
export function showChange({ contact, payee }: Change, zone: Zone, isWhole: boolean) {
  const number = (text: string) => (isWhole ? text : maskAccountNumber(text));
  const edited = contact.editedAt === null ? null : showTime(contact.editedAt, zone).exact;
  return {
    /** Identifies the change in the form that decides about it. */
    key: keyOf(contact),
    payeeId: payee.id,
    payeeName: payee.name,
    systemName: systemName(contact.system),
    href: appPaths.payeeAccounting(payee.id),
    noticed: showTime(contact.noticedAt ?? zone.now, zone),
    /** "Jo Nguyen, 21 Nov 2026, 10:30 am"; null when the system does not say. */
    editedBy: edited && `${contact.editedBy ?? "A person"}, ${edited}`,
    ours: { bsb: formatBsb(payee.bsb), accountNumber: number(payee.accountNumber) },
    /** Null: the accounting system's value is unreadable. */
    theirs:
      contact.seenBsb === null
        ? null
        : { bsb: formatBsb(contact.seenBsb), accountNumber: number(contact.seenAccountNumber ?? "") },
  };
}

/** Identifies one change of one supplier: a later change of the same supplier has a different key. */
export const keyOf = ({
  system,
  contactId,
  noticedAt,
}: Pick<Change["contact"], "system" | "contactId" | "noticedAt">): string => `${system}:${noticedAt ?? 0}:${contactId}`;

type Seen = { system: string; amount: number; paidAt: number };

/** Sentences about payments that were not recorded here; empty when there are none. */
export function seenPaymentsSentence(seen: readonly Seen[], timeZone: string): string {
  const [newest] = seen;
  if (!newest) return "";
  const last = `${formatAud(newest.amount)} on ${formatDate(newest.paidAt, timeZone)}`;
  const name = systemName(newest.system);
  const many =
    seen.length === 1
      ? `a payment of ${last}`
      : `${seen.length < 100 ? seen.length : "100 or more"} payments, the last of ${last}`;
  return `${name} has reconciled ${many} to this account that ${seen.length === 1 ? "was" : "were"} not recorded here. No rule looked at ${seen.length === 1 ? "it, so it does" : "them, so they do"} not count towards the whitelist.`;
}
