import { formatDateTime, localTime } from "~/kernel/dates";
import type { Rule } from "./facts";

/** Warns of a payment that is entered when nobody of the organisation usually works. */
export const outsideHours: Rule = {
  id: "outside_hours",
  label: "Entered outside your working hours",
  version: 1,
  defaultLevel: "warn",
  find({ now, timeZone, workingHours }) {
    if (!workingHours) return undefined;
    const { minute, isWeekend } = localTime(now, timeZone);
    const { opensAtMinute, closesAtMinute, worksWeekends } = workingHours;
    const isOpen = minute >= opensAtMinute && minute < closesAtMinute && (worksWeekends || !isWeekend);
    if (isOpen) return undefined;
    const at = formatDateTime(now, timeZone);
    return { message: `This payment was entered on ${at}, outside your working hours.`, evidence: { at } };
  },
};
