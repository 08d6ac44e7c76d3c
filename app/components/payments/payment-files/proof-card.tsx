import { Button } from "~/components/ui/button";
import { Callout } from "~/components/ui/callout";
import { formatAud } from "~/kernel/money";
import type { ProofView } from "~/modules/payments/payment-files/proof.view";

/** What is known of a file that somebody showed: cleared, or what differs. */
export function ProofCard({ proof }: { proof: ProofView }) {
  if (proof.cleared) {
    const { clearing } = proof;
    return (
      <Callout
        tone="success"
        role="status"
        title="Yes, this is a file that was cleared"
        className="mb-6"
        actions={
          <Button to={proof.href} variant="secondary">
            Open the payment file
          </Button>
        }
      >
        <p>
          {clearing.lineCount.toLocaleString("en-AU")} payments, {formatAud(clearing.totalCents)}, from “
          {clearing.fileName}
          ”, cleared by {clearing.clearedBy ?? "PayeeProof"} on {clearing.clearedAt.exact}.
        </p>
        <p className="mt-1 break-all font-mono text-sm">SHA-256 {clearing.sha256}</p>
      </Callout>
    );
  }
  return (
    <Callout tone="danger" role="status" title="No, your organisation has not cleared this file" className="mb-6">
      <p className="break-all font-mono text-sm">SHA-256 {proof.sha256}</p>
      {proof.nearest && (
        <p className="mt-2">
          Compared with the cleared file from “{proof.nearest.fileName}” of {proof.nearest.clearedAt.exact}:
        </p>
      )}
      {proof.differences.length > 0 && (
        <ul className="mt-2 grid gap-1">
          {proof.differences.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </Callout>
  );
}
