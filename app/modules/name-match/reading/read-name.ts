import type { CharacterFolder } from "./fold-characters";
import { joinInitials, joinPhrases, splitGlued } from "./join-words";
import { readLookAlikes } from "./look-alikes";
import { readText } from "./read-text";
import type { Reading } from "./reading";

/** Reads a name into words, what is written as one taken apart, initials and phrases joined, and letters that only look Latin read as what they imitate. */
export function readName(reading: Reading, text: string, folder: CharacterFolder): void {
  readText(reading, text, folder);
  splitGlued(reading);
  joinInitials(reading);
  joinPhrases(reading);
  readLookAlikes(reading, false);
}
