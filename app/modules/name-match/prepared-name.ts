import { Glance, USUAL_FACTS } from "./comparing/glance";
import { type Sounds, soundsOf } from "./comparing/other-scripts";
import { certainLettersOf } from "./comparing/rule-out-exact";
import { Name } from "./parsing/name";
import { parseName } from "./parsing/parse-name";
import type { CharacterFolder } from "./reading/fold-characters";
import { readName } from "./reading/read-name";
import { Limit, Mark, Reading } from "./reading/reading";
import type { Room } from "./reading/room";
import { Flag } from "./vocabulary/flags";

/** Texts longer than this many characters are no names; they are compared as wholes. */
export const MAX_TEXT = 1024;

/** A name read and, once somebody needs it, taken apart: keep it to compare it with many others. */
export class PreparedName {
  text = "";
  readonly name: Name;
  /** Is it longer than any name? */
  isLong = false;
  private isParsed = false;
  private readonly seen: Glance;
  private isSeen = false;
  private certain: number | undefined;
  private heard: Sounds | undefined;
  private isHeard = false;

  /** @param room where its lists are kept, and for how many letters; without it the lists are its own, for any name */
  constructor(
    private readonly folder: CharacterFolder,
    room?: { in: Room; letters: number },
  ) {
    this.name = new Name(new Reading(room?.in.letters(room.letters + Limit.SpareLetters)));
    this.seen = new Glance(room?.in.numbers(USUAL_FACTS));
  }

  read(text: string): void {
    this.text = text;
    this.isParsed = false;
    this.isSeen = false;
    this.certain = undefined;
    this.isHeard = false;
    this.isLong = text.length > MAX_TEXT;
    if (this.isLong) return;
    readName(this.name.reading, text, this.folder);
    this.isLong = (this.name.reading.marks & Mark.TooLong) !== 0;
  }

  /** The name taken apart. */
  parse(): Name {
    if (!this.isParsed) parseName(this.name);
    this.isParsed = true;
    return this.name;
  }

  /** What can be told without taking the name apart. */
  glance(): Glance {
    if (this.isSeen) return this.seen;
    this.isSeen = true;
    if (this.isLong || this.isBlank) this.seen.isHard = true;
    else this.seen.look(this.name.reading);
    return this.seen;
  }

  /** Letters that every exact match of the name has, as a set of bits. */
  certainLetters(): number {
    this.certain ??= certainLettersOf(this.glance(), this.name.reading);
    return this.certain;
  }

  /** The name as it sounds, if its script tells. */
  sounds(): Sounds | undefined {
    if (!this.isHeard) this.heard = soundsOf(this.name.reading);
    this.isHeard = true;
    return this.heard;
  }

  /** Nothing that could be a name: blank, digits only, "test", "N/A", one letter over and over. */
  get isBlank(): boolean {
    const { reading } = this.name;
    if (reading.count === 0 || (reading.marks & Mark.Letter) === 0) return true;
    if ((reading.union & Flag.Placeholder) === 0) return false;
    for (let k = 0; k < reading.count; k++) if (!reading.word(k).has(Flag.Placeholder)) return false;
    return true;
  }
}
