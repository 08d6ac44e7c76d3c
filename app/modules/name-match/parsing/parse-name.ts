import { Mark } from "../reading/reading";
import { Gap, Role } from "../reading/word";
import { Flag } from "../vocabulary/flags";
import { findHolder } from "./find-holder";
import { findLegalForm } from "./find-legal-form";
import { findPurpose } from "./find-purpose";
import { findReference, skipNumberSigns } from "./find-references";
import { skipSigns } from "./find-signs";
import { findTitles } from "./find-titles";
import { type Name, type Part, PartKind } from "./name";
import { splitAtConnectors } from "./split-at-connectors";

/** Words that some step has something to say about. A name without any is its words: most people's names. */
const STRUCTURE =
  Flag.Title |
  Flag.Postnominal |
  Flag.Generation |
  Flag.Legal |
  Flag.Entity |
  Flag.Purpose |
  Flag.Reference |
  Flag.Number |
  Flag.Connector |
  Flag.And |
  Flag.Article;

/** Takes a name that has been read into words apart, step by step. */
export function parseName(name: Name): void {
  const { reading, main } = name;
  name.clear();
  if ((reading.union & STRUCTURE) === 0 && (reading.marks & Mark.Bracket) === 0) {
    main.core = reading.words;
  } else {
    splitAtConnectors(name);
    findReference(name);
    skipNumberSigns(name);
    skipSigns(name);
    findTitles(name);
    parsePart(name, main);
    if (name.has(PartKind.Trading)) parsePart(name, name.part(PartKind.Trading));
    if (name.has(PartKind.Beneficiary)) parsePart(name, name.part(PartKind.Beneficiary));
    if (name.has(PartKind.Alias)) parsePart(name, name.part(PartKind.Alias));
  }
  if ((reading.marks & Mark.Comma) !== 0) findComma(name);
}

function parsePart(name: Name, part: Part): void {
  findPurpose(name.reading, part);
  findLegalForm(name.reading, part);
  findHolder(name.reading, part);
  collectCore(name, part);
}

/** Lists the words of a part that tell who it is. */
export function collectCore(name: Name, part: Part): void {
  const { reading } = name;
  part.core.clear();
  for (let k = part.from; k < part.end; k++) {
    const word = reading.word(k);
    if (word.role !== Role.Core) continue;
    if (word.has(Flag.Article) && part.core.count === 0 && k + 1 < part.end) word.role = Role.Skipped;
    else if (word.has(Flag.And)) {
      word.role = Role.And;
      name.and ??= word;
    } else part.core.add(word);
  }
}

/** Finds the first comma between two words of the main part. */
function findComma(name: Name): void {
  const { reading, main } = name;
  for (let k = 1; k < main.core.count; k++) {
    let gap = 0;
    for (let i = main.core.at(k - 1).index + 1; i <= main.core.at(k).index; i++) gap |= reading.word(i).gap;
    if ((gap & Gap.Comma) === 0) continue;
    name.beforeComma = k;
    return;
  }
}
