import type { NamePart, NamePartStatus } from "./types";

/** A stretch of one name, and whether the other name has it. An empty text: only the other has something there. */
export interface MarkedStretch {
  text: string;
  status: NamePartStatus;
}

/** Both names of a comparison with their marks. */
export type MarkedNames = { submitted: MarkedStretch[]; held: MarkedStretch[] };

/** Marks both names as the comparison describes their characters. */
export const markNames = (submitted: string, held: string, parts: readonly NamePart[]): MarkedNames => ({
  submitted: markName(submitted, parts, "submitted"),
  held: markName(held, parts, "held"),
});

/** Blanks at the ends of a difference are not marked; blanks that are the whole difference are. */
function trimMark(text: string, status: NamePartStatus): MarkedStretch[] {
  const core = text.trim();
  if (core === "" || core === text) return [{ text, status }];
  const start = text.indexOf(core);
  const pieces: MarkedStretch[] = [
    { text: text.slice(0, start), status: "same" },
    { text: core, status },
    { text: text.slice(start + core.length), status: "same" },
  ];
  return pieces.filter((piece) => piece.text !== "");
}

/**
 * Splits one side of a comparison into stretches. Every character of the name appears exactly once and in order,
 * whatever the parts say; text that no part covers counts as the same.
 */
export function markName(name: string, parts: readonly NamePart[], side: "submitted" | "held"): MarkedStretch[] {
  const gap = side === "submitted" ? "only_held" : "only_submitted";
  const ranges = parts
    .map((part) => ({
      status: part.status,
      start: side === "submitted" ? part.submittedStart : part.heldStart,
      end: side === "submitted" ? part.submittedEnd : part.heldEnd,
    }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const stretches: MarkedStretch[] = [];
  let position = 0;
  const take = (end: number, status: NamePartStatus) => {
    const text = name.slice(position, end);
    if (text !== "") stretches.push(...trimMark(text, status));
    position = Math.max(position, Math.min(end, name.length));
  };
  for (const range of ranges) {
    take(range.start, "same");
    if (range.end > range.start) take(range.end, range.status);
    else if (range.status === gap) stretches.push({ text: "", status: gap });
  }
  take(name.length, "same");
  return stretches;
}
