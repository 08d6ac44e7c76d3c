import { formatBsb } from "~/kernel/bsb";
import { formatAud } from "~/kernel/money";
import type { FileSettings } from "./file-settings";

/** What stands in the two forms of the settings. Pure. */
export type SettingsValues = Record<string, string>;

const twoDigits = (value: number) => String(value).padStart(2, "0");
const timeOf = (minute: number | undefined) =>
  minute === undefined ? "" : `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
const amountOf = (cents: number | null) => (cents === null ? "" : formatAud(cents).replace("$", ""));

export function toSettingsValues({
  payer,
  memberLimitCents,
  adminLimitCents,
  workingHours,
  sendsRemittances,
}: FileSettings): SettingsValues {
  return {
    bank: payer?.bank ?? "",
    userName: payer?.userName ?? "",
    userId: payer?.userId ?? "",
    bsb: payer ? formatBsb(payer.bsb) : "",
    accountNumber: payer?.accountNumber ?? "",
    remitter: payer?.remitter ?? "",
    memberLimit: amountOf(memberLimitCents),
    adminLimit: amountOf(adminLimitCents),
    opensAt: timeOf(workingHours?.opensAtMinute),
    closesAt: timeOf(workingHours?.closesAtMinute),
    sendsRemittances: sendsRemittances ? "on" : "",
    worksWeekends: workingHours?.worksWeekends ? "on" : "",
  };
}
