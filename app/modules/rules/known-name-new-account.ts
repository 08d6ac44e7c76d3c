import { formatBsb } from "~/kernel/bsb";
import { isTrusted, sayAccount } from "./account-standing";
import type { FurtherFacts, Rule } from "./facts";

type Namesake = FurtherFacts["namesakes"][number];

/** Holds a payment to an unknown account under the name of a payee: the mark of a changed invoice. */
export const knownNameNewAccount: Rule = {
  id: "known_name_new_account",
  label: "An unknown account under the name of a payee",
  version: 1,
  defaultLevel: "hold",
  /** Another account than the one that somebody verified. */
  decidedSingly: { where: "isKnown" },
  find(facts) {
    const { payee, namesakes, formerHolder } = facts;
    // In facts of before the other rule, the payee is named here.
    const namesake = findNamesake(namesakes, formerHolder?.account && formerHolder.payeeId);
    if (payee || !namesake) return undefined;
    const { payeeId, name, bsb, maskedAccountNumber, standing } = namesake;
    return {
      message: tell(namesake, facts.timeZone),
      evidence: {
        ...{ payeeId, name, bsb, accountNumber: maskedAccountNumber },
        ...(standing ? { isKnown: isTrusted(standing) } : {}),
      },
    };
  },
};

/** The payee whose name is paid, other than the one whose former account is paid: of that one another rule says more. */
export const findNamesake = (
  namesakes: readonly Namesake[] | undefined,
  formerPayeeId: string | undefined,
): Namesake | undefined => namesakes?.find(({ payeeId }) => payeeId !== formerPayeeId);

function tell({ name, bsb, maskedAccountNumber, standing }: Namesake, timeZone: string): string {
  const account = `${formatBsb(bsb)} ${maskedAccountNumber}`;
  if (!standing) return `You know ${name} with another account, ${account}. Call them on a number you knew before.`;
  const said = sayAccount({ bsb, maskedAccountNumber, standing }, timeZone);
  if (!isTrusted(standing)) {
    return `${name} is one of your payees with another account, ${said}. Verify ${name} before you pay either, on a number you knew before.`;
  }
  const known = standing.state === "verified" ? `You know ${name}` : `${name} is one of your payees`;
  return `${known} with another account, ${said}. Call them on a number you knew before.`;
}
