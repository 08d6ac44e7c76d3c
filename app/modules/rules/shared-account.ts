import type { Rule } from "./facts";

/** Holds lines of a file that pay one account under several titles: two suppliers rarely share an account. */
export const sharedAccount: Rule = {
  id: "shared_account",
  label: "One account is paid under several names in a file",
  version: 1,
  defaultLevel: "hold",
  find({ otherTitles, account }) {
    const [first] = otherTitles ?? [];
    if (first === undefined) return undefined;
    return {
      message: `This file pays the same account under another name as well: “${first}”.`,
      evidence: { accountName: account.accountName, otherTitles: otherTitles?.slice(0, 5) },
    };
  },
};
