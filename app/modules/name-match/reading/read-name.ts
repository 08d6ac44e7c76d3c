import type { CharacterFolder } from "./fold-characters";
import { joinInitials, joinPhrases } from "./join-words";
import { readLookAlikes } from "./look-alikes";
import { readText } from "./read-text";
import type { Reading } from "./reading";

/** Reads a name into words, initials and phrases joined, and letters that only look Latin read as what they imitate. */
export function readName(reading: Reading, text: string, folder: CharacterFolder): void {
  readText(reading, text, folder);
  joinInitials(reading);
  joinPhrases(reading);
  readLookAlikes(reading, false);
}
