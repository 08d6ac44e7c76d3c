import type { Tone } from "~/components/ui/badge";
import type { IconName } from "~/components/ui/icons";
import type { CheckOutcome } from "~/kernel/enums";

interface OutcomeLook {
  tone: Tone;
  icon: IconName;
  title: string;
  text: string;
}

/** What each outcome of a check says, in one line and one sentence. */
const looks: Record<CheckOutcome, OutcomeLook> = {
  match: {
    tone: "verified",
    icon: "checkCircle",
    title: "The names match",
    text: "The bank holds this account under the name you were given.",
  },
  close_match: {
    tone: "pending",
    icon: "clock",
    title: "The names are close",
    text: "The bank holds this account under a similar name. Someone should look before it is approved.",
  },
  no_match: {
    tone: "review",
    icon: "flag",
    title: "The names do not match",
    text: "The bank holds this account under a different name.",
  },
  account_closed: {
    tone: "review",
    icon: "xCircle",
    title: "Account closed",
    text: "The bank says that this account is closed. Ask the payee for current details.",
  },
  account_not_shared: {
    tone: "review",
    icon: "flag",
    title: "Account not among those shared",
    text: "The payee signed in to their bank, but the account you were given was not among the accounts they shared.",
  },
  consent_refused: {
    tone: "review",
    icon: "hand",
    title: "Consent refused",
    text: "The payee chose not to share their bank details, so nothing could be compared.",
  },
  unable: {
    tone: "info",
    icon: "question",
    title: "Could not check",
    text: "We could not get an answer from the bank. This says nothing about the payee, good or bad.",
  },
};

const nothingYet: OutcomeLook = {
  tone: "neutral",
  icon: "equals",
  title: "Nothing to compare yet",
  text: "No bank has answered about these details so far.",
};

/** Decided on other grounds; nobody waits for a bank any more. */
const nothingEver: OutcomeLook = {
  ...nothingYet,
  title: "Nothing was compared",
  text: "This was decided without an answer from a bank.",
};

/** The words for an outcome; `null` while no check has finished, or when none did before the decision. */
export function outcomeLook(outcome: CheckOutcome | null, isPending: boolean): OutcomeLook {
  if (outcome !== null) return looks[outcome];
  return isPending ? nothingYet : nothingEver;
}
