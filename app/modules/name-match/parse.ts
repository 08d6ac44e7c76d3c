import { splitAtConnectors } from "./connectors";
import { markEntity, markPurpose } from "./entity";
import { markLegalForm } from "./legal-form";
import { Entity, type Name, type Segment } from "./name";
import { Gap, Mark, Role } from "./reading";
import { markNumberSigns, markReferences } from "./references";
import { markTitles } from "./titles";
import {
  AND,
  ARTICLE,
  CONNECTOR,
  ENTITY,
  GENERATION,
  LEGAL,
  NUMBER,
  POSTNOMINAL,
  PURPOSE,
  REFERENCE,
  TITLE,
} from "./vocabulary/flags";

export function collect(name: Name, segment: Segment): void {
  const { reading } = name;
  segment.count = 0;
  for (let i = segment.first; i < segment.end; i++) {
    if (reading.role[i] !== Role.Core) continue;
    const flags = reading.flags[i]!;
    if ((flags & ARTICLE) !== 0 && segment.count === 0 && i + 1 < segment.end) {
      reading.role[i] = Role.Skipped;
      continue;
    }
    if ((flags & AND) !== 0) {
      reading.role[i] = Role.And;
      if (name.and < 0) name.and = i;
      continue;
    }
    segment.core[segment.count++] = i;
  }
}

/** Takes a name that has been read into words apart, step by step. */
export function parse(name: Name): void {
  const { reading } = name;
  name.and = -1;
  name.comma = -1;
  if ((reading.union & STRUCTURE) === 0) {
    takePlain(name);
    return;
  }
  splitAtConnectors(name);
  markReferences(name);
  markNumberSigns(name);
  markTitles(name);
  for (let part = 0; part < 4; part++) {
    if ((name.has & (1 << part)) === 0) continue;
    const segment = name.segments[part]!;
    markPurpose(name, segment);
    markLegalForm(name, segment);
    markEntity(name, segment);
    collect(name, segment);
  }
  findComma(name);
}

/** Words that some step has something to say about. */
const STRUCTURE =
  TITLE | POSTNOMINAL | GENERATION | LEGAL | ENTITY | PURPOSE | REFERENCE | NUMBER | CONNECTOR | AND | ARTICLE;

/** A name without any such word is its words: most people's names. */
function takePlain(name: Name): void {
  const main = name.segments[0];
  const { count } = name.reading;
  name.has = 1;
  name.style = -1;
  name.title = -1;
  name.generation = -1;
  name.referenceFirst = -1;
  name.referenceLast = -1;
  main.first = 0;
  main.end = count;
  main.form = 0;
  main.formFirst = -1;
  main.formLast = -1;
  main.entity = Entity.None;
  main.entityKind = 0;
  main.entityFirst = -1;
  main.entityLast = -1;
  main.purpose = 0;
  for (let i = 0; i < count; i++) main.core[i] = i;
  main.count = count;
  findComma(name);
}

/** Finds the first comma between two words of the name. */
function findComma(name: Name): void {
  const { reading } = name;
  if ((reading.marks & Mark.Comma) === 0) return;
  const main = name.segments[0];
  for (let k = 1; k < main.count; k++) {
    let gap = 0;
    for (let i = main.core[k - 1]! + 1; i <= main.core[k]!; i++) gap |= reading.gap[i]!;
    if ((gap & Gap.Comma) === 0) continue;
    name.comma = k;
    break;
  }
}
