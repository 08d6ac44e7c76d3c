import { formatBsb, institutionOf } from "~/kernel/bank-account";

/** Describes a BSB. Pure: `directory.server.ts` reads the directory. */

/** The fields of a BSB directory entry that matter here. */
export type DirectoryEntry = {
  mnemonic: string;
  name: string;
  electronic: boolean;
  status: "open" | "closed" | "merged";
  successorBsb: string | null;
};

/** The institution that a BSB belongs to, in readable form. */
export type Institution = {
  mnemonic: string;
  name: string;
  /** From the BSB directory, when one is loaded. */
  branch?: string;
  /** A sentence when the BSB cannot take direct entry, is closed or merged. */
  problem?: string;
};

/**
 * The institution and branch of a BSB, with a sentence when it cannot be paid.
 * @param directory the BSB's entry; null when the loaded directory does not have it; undefined when none is loaded
 */
export function describeInstitution(bsb: string, directory?: DirectoryEntry | null): Institution | null {
  const institution = institutionOf(bsb);
  if (!directory) {
    if (!institution) return null;
    return directory === null ? { ...institution, problem: UNKNOWN_BSB } : institution;
  }
  const problem = problemOf(directory);
  return {
    mnemonic: directory.mnemonic,
    name: institution?.name || directory.mnemonic,
    branch: directory.name,
    ...(problem ? { problem } : {}),
  };
}

const UNKNOWN_BSB = "The BSB directory does not have this BSB.";

function problemOf({ status, electronic, successorBsb }: DirectoryEntry): string | undefined {
  const next = successorBsb ? ` Its accounts are now under ${formatBsb(successorBsb)}.` : "";
  if (status === "closed") return `This BSB is closed.${next}`;
  if (status === "merged") return `This BSB was merged into another.${next}`;
  return electronic ? undefined : "This BSB does not take direct entry payments.";
}
