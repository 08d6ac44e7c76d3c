import { maskAccountNumber } from "~/kernel/account-number";
import { institutionOf } from "~/kernel/bsb";
import type { VerificationStatus } from "~/kernel/enums";
import { appPaths } from "~/kernel/paths/app";
import { withQuery } from "~/kernel/paths/with-query";
import { type BankDetails, type PayeeStatus, payeeStatus } from "~/kernel/payee";
import { type ShownTime, showTime } from "~/kernel/shown-time";
import type { PayeeFilter } from "./payee-list";

type ListAddress = { q?: string; filter?: PayeeFilter; after?: string; before?: string };

/** The address of a list: search, filter and page. */
export function payeesHref({ q, filter, after, before }: ListAddress): string {
  return withQuery(appPaths.payees, { q, status: filter === "all" ? undefined : filter, after, before });
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
