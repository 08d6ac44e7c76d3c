import { parseAbn } from "~/kernel/abn";
import type { SharedAccount, SharedIdentity } from "~/ports/bank-data";
import { toNumbers } from "./basiq-numbers";
import type { BasiqAccount, BasiqIdentity } from "./basiq-schema";

/** Cards, loans and holdings: nothing that a supplier is paid into. Kinds that are not listed count as deposit accounts. */
const NOT_PAYABLE = new Set(["credit-card", "mortgage", "loan", "investment", "insurance"]);

const OWNERSHIP: Record<string, SharedAccount["ownership"]> = {
  ONE_PARTY: "one",
  TWO_PARTY: "two",
  MANY_PARTY: "many",
};

/** One account in our terms; undefined for a card or a loan, and for one that no connection of the payee accounts for. */
export function toSharedAccount(
  account: BasiqAccount,
  connectionIds: ReadonlySet<string>,
  institutionName?: string,
): SharedAccount | undefined {
  const connectionId = account.connection;
  if (!connectionId || !connectionIds.has(connectionId)) return undefined;
  if (NOT_PAYABLE.has(account.class?.type ?? "")) return undefined;
  return {
    id: account.id,
    connectionId,
    ...toNumbers(account),
    accountHolder: present(account.accountHolder),
    status: statusOf(account.status),
    isOwned: account.isOwned ?? undefined,
    ownership: OWNERSHIP[account.accountOwnership ?? ""] ?? "unknown",
    institutionName,
  };
}

/** A word that the documents do not have says neither that an account is open nor that it is closed. */
function statusOf(status: string | null | undefined): SharedAccount["status"] {
  if (status === "unavailable") return "closed";
  return !status || status === "available" ? "available" : "unknown";
}

/** One identity in our terms; undefined when no connection of the payee accounts for it. */
export function toSharedIdentity(
  identity: BasiqIdentity,
  connectionIds: ReadonlySet<string>,
): SharedIdentity | undefined {
  const [onlyConnection, ...others] = connectionIds;
  const connectionId = identity.connectionID ?? (others.length === 0 ? onlyConnection : undefined);
  if (!connectionId || !connectionIds.has(connectionId)) return undefined;
  const parts = [identity.firstName, identity.middleName, identity.lastName].map(present).filter(Boolean);
  return {
    connectionId,
    fullName: present(identity.fullName) ?? present(parts.join(" ")),
    businessName: present(identity.organisation?.businessName),
    legalName: present(identity.organisation?.legalName),
    abn: parseAbn(identity.organisation?.abn ?? ""),
  };
}

/** Banks send blanks and empty strings for names they withhold. */
function present(text: string | null | undefined): string | undefined {
  return text?.trim() || undefined;
}
