import type { Name } from "./name";
import { Gap, Role } from "./reading";
import { AND, ARTICLE, GENERATION, POSTNOMINAL, TITLE } from "./vocabulary/flags";

/** Marks forms of address ("Mr", "The Hon"), letters after a name ("OAM") and "Jnr"/"Snr". */
export function markTitles(name: Name): void {
  const { reading } = name;
  name.title = -1;
  name.generation = -1;
  if ((reading.union & (TITLE | POSTNOMINAL | GENERATION)) === 0) return;
  const { flags, role, gap, count } = reading;
  for (let i = 0; i < count - 1; i++) {
    if ((flags[i]! & TITLE) === 0 || role[i] !== Role.Core) continue;
    const opens =
      i === 0 ||
      role[i - 1] === Role.Title ||
      role[i - 1] === Role.Connector ||
      (flags[i - 1]! & (AND | ARTICLE)) !== 0 ||
      (gap[i]! & (Gap.Comma | Gap.Open)) !== 0;
    if (!opens) continue;
    role[i] = Role.Title;
    if (i > 0 && (flags[i - 1]! & ARTICLE) !== 0) role[i - 1] = Role.Title;
    if (name.title < 0) name.title = i;
  }
  let trailing = true;
  for (let i = count - 1; i > 0; i--) {
    const endsPart = trailing || (i + 1 < count && (gap[i + 1]! & Gap.Comma) !== 0);
    if (!endsPart) continue;
    const afterComma = (gap[i]! & Gap.Comma) !== 0;
    if ((flags[i]! & GENERATION) !== 0 && i > 1) {
      role[i] = Role.Generation;
      name.generation = i;
    } else if ((flags[i]! & POSTNOMINAL) !== 0 && (i > 1 || !trailing) && !afterComma) {
      role[i] = Role.Postnominal;
      if (name.title < 0) name.title = i;
    } else trailing = false;
  }
}
