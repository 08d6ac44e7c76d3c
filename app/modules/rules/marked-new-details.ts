import type { Rule } from "./facts";

/** Warns where the file itself marks the bank details as new or varied (indicator N of a direct entry record). */
export const markedNewDetails: Rule = {
  id: "marked_new_details",
  label: "The file marks the bank details as new",
  version: 1,
  defaultLevel: "warn",
  find({ newDetails }) {
    if (!newDetails) return undefined;
    return {
      message: "The file marks these bank details as new or changed (indicator N).",
      evidence: { indicator: "N" },
    };
  },
};
