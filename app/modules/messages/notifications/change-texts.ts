/** Text messages to a payee about its own details: plain letters only, no link. */

type Changed = {
  organizationName: string;
  payeeName: string;
  changedOn: string;
  /** How many changes the message tells of: the others came just before. */
  changes: number;
};

const ADVICE = "If you did not ask for this, call them on a number you already know.";

/** "changed 23 Nov 2026, 2:31 pm", or how often, and when last. */
const when = ({ changes, changedOn }: Changed): string =>
  changes > 1 ? `changed ${changes} times, last on ${changedOn}` : `changed ${changedOn}`;

/** @param changed.maskedAccount the account number by now, masked */
export function bankDetailsChangedText(changed: Changed & { maskedAccount: string; isRestored: boolean }): string {
  const { organizationName, payeeName, maskedAccount, isRestored } = changed;
  const ending = maskedAccount.replace(/\D/g, "");
  if (isRestored) {
    return `PayeeProof: ${organizationName} has put back the former bank details of ${payeeName}, account ending ${ending}, ${when(changed)}. ${ADVICE}`;
  }
  return `PayeeProof: ${organizationName} now has other bank details for ${payeeName}, account ending ${ending}, ${when(changed)}. ${ADVICE}`;
}

export function contactChangedText(changed: Changed): string {
  const { organizationName, payeeName } = changed;
  return `PayeeProof: the contact details that ${organizationName} holds for ${payeeName} were ${when(changed)}. ${ADVICE}`;
}
