import { joinInitials, joinPhrases } from "./phrases";
import type { Reading } from "./reading";
import { readTokens } from "./tokens";

/** Reads a name into words, initials and phrases joined. */
export function readName(reading: Reading, text: string): void {
  readTokens(reading, text);
  joinInitials(reading);
  joinPhrases(reading);
}
