/** Text messages to a payee about its own details: plain letters only, no link. */

type Changed = { organizationName: string; payeeName: string; changedOn: string };

const ADVICE = "If you did not ask for this, call them on a number you already know.";

/** @param changed.maskedAccount the new account number, masked */
export function bankDetailsChangedText(changed: Changed & { maskedAccount: string }): string {
  const { organizationName, payeeName, changedOn, maskedAccount } = changed;
  const ending = maskedAccount.replace(/\D/g, "");
  return `PayeeProof: ${organizationName} now has other bank details for ${payeeName}, account ending ${ending}, changed ${changedOn}. ${ADVICE}`;
}

export function contactChangedText({ organizationName, payeeName, changedOn }: Changed): string {
  return `PayeeProof: the contact details that ${organizationName} holds for ${payeeName} were changed ${changedOn}. ${ADVICE}`;
}
