import { maskAccountNumber } from "~/kernel/account-number";
import { institutionOf } from "~/kernel/bsb";
import type { VerificationStatus } from "~/kernel/enums";
import { type BankDetails, type PayeeStatus, payeeStatus } from "~/kernel/payee";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import type { PayeeFilter } from "./payee-list";

/** Addresses of this room. */
export const PAYEES_PATH = "/payees";
export const NEW_PAYEE_PATH = "/payees/verify";
export const payeePath = (id: string) => `${PAYEES_PATH}/${id}`;
export const editPath = (id: string) => `${payeePath(id)}/edit`;

type ListAddress = { q?: string; filter?: PayeeFilter; after?: string; before?: string };

/** The address of a list: search, filter and page. */
export function payeesHref({ q, filter, after, before }: ListAddress): string {
  const status = filter === "all" ? undefined : filter;
  const params = Object.entries({ q, status, after, before }).filter((entry): entry is [string, string] => !!entry[1]);
  const search = new URLSearchParams(params).toString();
  return search ? `${PAYEES_PATH}?${search}` : PAYEES_PATH;
}

/** One line of the list. The account number arrives masked: the full one stays on the server. */
export type PayeeRow = {
  id: string;
  name: string;
  accountName: string;
  bsb: string;
  maskedAccountNumber: string;
  institution: string | null;
  status: PayeeStatus;
  addedAt: ShownTime;
};

type Listed = BankDetails & {
  id: string;
  name: string;
  whitelisted: boolean;
  disputedAt: number | null;
  bankDetailsChangedAt: number | null;
  takenOffWhitelistAt: number | null;
  createdAt: number;
  latest: (BankDetails & { status: VerificationStatus; createdAt: number }) | null;
};

export function toPayeeRow(payee: Listed, zone: { timeZone: string; now: number }): PayeeRow {
  return {
    id: payee.id,
    name: payee.name,
    accountName: payee.accountName,
    bsb: payee.bsb,
    maskedAccountNumber: maskAccountNumber(payee.accountNumber),
    institution: institutionOf(payee.bsb)?.name ?? null,
    status: payeeStatus(payee, payee.latest),
    addedAt: showTime(payee.createdAt, zone),
  };
}
