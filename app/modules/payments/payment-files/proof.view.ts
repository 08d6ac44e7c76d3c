import { appPaths } from "~/kernel/paths/app";
import type { Difference } from "./compare-files";
import { type ClearingView, toClearingView } from "./file-page.view";

type Clearing = Parameters<typeof toClearingView>[0];

type Proof =
  | { cleared: true; clearing: Clearing }
  | { cleared: false; sha256: string; nearest: Clearing | null; differences: Difference[] };

/** The answer to "Is this the file that was cleared?" as the page draws it. */
export type ProofView =
  | { cleared: true; clearing: ClearingView; href: string }
  | { cleared: false; sha256: string; nearest: ClearingView | null; differences: Difference[] };

export function toProofView(proof: Proof, zone: { timeZone: string; now: number }): ProofView {
  if (proof.cleared) {
    return {
      cleared: true,
      clearing: toClearingView(proof.clearing, zone),
      href: appPaths.paymentFile(proof.clearing.fileId),
    };
  }
  return { ...proof, nearest: proof.nearest && toClearingView(proof.nearest, zone) };
}
