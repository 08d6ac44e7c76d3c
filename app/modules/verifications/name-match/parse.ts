import { splitAtConnectors } from "./connectors";
import { markEntity, markPurpose } from "./entity";
import { markLegalForm } from "./legal-form";
import type { Name, Segment } from "./name";
import { Gap, Mark, Role } from "./reading";
import { markNumberSigns, markReferences } from "./references";
import { markTitles } from "./titles";
import { AND, ARTICLE } from "./vocabulary/flags";

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
