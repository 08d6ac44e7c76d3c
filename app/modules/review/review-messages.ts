/** What people are told of the five things they can do with a pending verification (specification, section 8). */

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
    case "send-link":
      return "Error Sending Verification Link";
    default:
      return "Error";
  }
}
