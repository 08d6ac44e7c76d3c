import { emailDomain } from "~/kernel/email";
import type { InvoiceRule } from "./facts";

/** The findings about the email that an invoice came by, by what its header says and what the platform found. */

export const senderLookalike: InvoiceRule = {
  id: "sender_lookalike",
  label: "The sender's domain looks like a known one",
  version: 1,
  defaultLevel: "hold",
  find({ sender }) {
    if (!sender?.lookalikeOf) return undefined;
    return {
      message: `The email came from ${emailDomain(sender.address)}. You know ${sender.lookalikeOf}, which looks alike.`,
      evidence: { domain: emailDomain(sender.address), known: sender.lookalikeOf },
    };
  },
};

export const authenticationFailed: InvoiceRule = {
  id: "authentication_failed",
  label: "The sender's domain does not stand by the email",
  version: 1,
  defaultLevel: "warn",
  find({ sender }) {
    if (sender?.authentication !== "fail") return undefined;
    return {
      message: `The email names ${sender.address} as its sender. It failed the check of that domain (DMARC): somebody else may have sent it.`,
      evidence: { domain: emailDomain(sender.address) },
    };
  },
};

export const replyToElsewhere: InvoiceRule = {
  id: "reply_to_elsewhere",
  label: "Answers would go to another domain",
  version: 1,
  defaultLevel: "warn",
  find({ sender }) {
    if (!sender?.replyTo || emailDomain(sender.replyTo) === emailDomain(sender.address)) return undefined;
    return { message: `The email is from ${sender.address}. An answer to it would go to ${sender.replyTo}.` };
  },
};

export const senderNew: InvoiceRule = {
  id: "sender_new",
  label: "The sender's domain is new",
  version: 1,
  defaultLevel: "off",
  find({ sender }) {
    if (!sender?.isNew) return undefined;
    return {
      message: `No invoice came from ${emailDomain(sender.address)} before, and none of your payees has that domain.`,
    };
  },
};
