import type { CheckOutcome } from "~/kernel/enums";
import { describeOutcome } from "~/modules/payees/verifications/outcomes";

/** What people are told of the things they can do with a pending verification (specification, section 8). */

type ReviewIntent = "approve" | "reject" | "verify-basiq" | "send-link" | "record-call";

type Message = { tone: "success" | "info"; title: string; description: string };

/** The message of a success. `providerName` is the bank data provider's. */
export function successOf(intent: ReviewIntent, payeeName: string, providerName: string): Message {
  switch (intent) {
    case "approve":
      return { tone: "success", title: "Verification Approved", description: `${payeeName} is on the whitelist.` };
    case "reject":
      return { tone: "success", title: "Verification Rejected", description: `${payeeName} is not trusted.` };
    case "record-call":
      return {
        tone: "success",
        title: "Call recorded",
        description: `It stands in the history of ${payeeName}'s details.`,
      };
    case "verify-basiq":
      return {
        tone: "info",
        title: `${providerName} Verification Initiated`,
        description: `One link asks ${payeeName} to confirm the details and leads on to their own bank.`,
      };
    case "send-link":
      return {
        tone: "success",
        title: "Verification Link Sent",
        description: `A new link is on its way to ${payeeName}.`,
      };
  }
}

/** The former details were put back. `isTrusted`: the payee is on the whitelist with them again. */
export const restoredMessage = (payeeName: string, isTrusted: boolean): Message => ({
  tone: "success",
  title: "Verification Rejected",
  description: isTrusted
    ? `${payeeName} is trusted again with its former bank details.`
    : `The former bank details of ${payeeName} are back and wait for a decision. It is not trusted.`,
});

/** What the bank said at once; null: another press of the button is asking at this very moment. */
export function checkedAtOnceMessage(answer: { outcome: CheckOutcome; reasonCode: string | null } | null): Message {
  if (!answer) {
    return {
      tone: "info",
      title: "The bank is being asked",
      description: "Load this page again in a few seconds to see the answer.",
    };
  }
  const { title, fact } = describeOutcome(answer.outcome, answer.reasonCode);
  return { tone: answer.outcome === "match" ? "success" : "info", title, description: fact };
}

/** The title of a failure, by the button that was pressed. */
export function failureTitleOf(intent: unknown, providerName: string): string {
  switch (intent) {
    case "approve":
      return "Error Approving Verification";
    case "reject":
      return "Error Rejecting Verification";
    case "record-call":
      return "The call was not recorded";
    case "verify-basiq":
      return `Error Starting ${providerName} Verification`;
    case "check-now":
      return "The bank was not asked";
    case "send-link":
      return "Error Sending Verification Link";
    default:
      return "Error";
  }
}
