import { sitePaths } from "~/kernel/paths/site";
/** What a supplier who fears a scam wants to know, at the foot of every page of theirs. */
export function PayeeFooter({ organizationName }: { organizationName?: string | null }) {
  const asking = organizationName ?? "the organisation that asked you";
  return (
    <>
      <p>In doubt? Call {asking} on a number you already know, not one from the message.</p>
      <p>
        PayeeProof shows your answer, and what you share from your bank, to {asking} only. We never ask for a password
        or a payment.{" "}
        <a href={sitePaths.privacy} className="underline underline-offset-2">
          How we handle your information
        </a>
      </p>
    </>
  );
}
