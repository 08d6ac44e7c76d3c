import type { NamePart, NamePartStatus } from "~/modules/verifications/name-match";

/** A stretch of one name and whether the other name has it too. */
export interface MarkedStretch {
  text: string;
  status: NamePartStatus;
}

/**
 * Cuts one side of a comparison into stretches to draw. Every character of the name comes back exactly once and in
 * order, whatever the parts say; what no part covers counts as the same.
 */
export function markName(name: string, parts: readonly NamePart[], side: "submitted" | "held"): MarkedStretch[] {
  const ranges = parts
    .map((part) => ({
      status: part.status,
      start: side === "submitted" ? part.submittedStart : part.heldStart,
      end: side === "submitted" ? part.submittedEnd : part.heldEnd,
    }))
    .filter((range) => range.end > range.start)
    .sort((a, b) => a.start - b.start);
  const stretches: MarkedStretch[] = [];
  let position = 0;
  const take = (end: number, status: NamePartStatus) => {
    const text = name.slice(position, end);
    if (text) stretches.push({ text, status });
    position = Math.max(position, Math.min(end, name.length));
  };
  for (const range of ranges) {
    take(range.start, "same");
    take(range.end, range.status);
  }
  take(name.length, "same");
  return stretches;
}
