import { wordId } from "./lexicon";
import { Entity, type Name, type Segment } from "./name";
import { Role } from "./reading";
import { ENTITY, PURPOSE } from "./vocabulary/flags";

const TRUST = wordId("trust");
const FUND = wordId("fund");
const SUPER = wordId("superannuation");
const SMSF = wordId("smsf");
const ESTATE_OF = wordId("estateof");
const LATE = wordId("late");
const DECEASED = wordId("deceased");
const KINDS = new Set(
  ["family", "unit", "discretionary", "hybrid", "charitable", "testamentary", "investment", "property"].map(wordId),
);
const NAMED_KINDS = new Set(["family", "unit", "discretionary", "hybrid", "testamentary"].map(wordId));

function take(segment: Segment, name: Name, i: number, entity: Entity): void {
  name.reading.role[i] = Role.Entity;
  segment.entity = entity;
  if (segment.entityFirst < 0 || i < segment.entityFirst) segment.entityFirst = i;
  if (i > segment.entityLast) segment.entityLast = i;
}

/** Finds what kind of holder a part names besides companies and people: trust, superannuation fund, estate. */
export function markEntity(name: Name, segment: Segment): void {
  const { reading } = name;
  segment.entity = Entity.None;
  segment.entityKind = 0;
  segment.entityFirst = -1;
  segment.entityLast = -1;
  if ((reading.union & ENTITY) === 0) return;
  const { first, end } = segment;
  const { canon, role } = reading;
  if (end - first < 2) return;
  if (canon[first] === ESTATE_OF || (canon[first] === LATE && end - first > 2)) {
    take(segment, name, first, canon[first] === LATE ? Entity.None : Entity.Estate);
  }
  let last = end - 1;
  while (last > first && role[last] !== Role.Core && role[last] !== Role.Legal) last--;
  if (role[last] !== Role.Core) return;
  const word = canon[last]!;
  if (word === DECEASED) take(segment, name, last, Entity.Estate);
  else if (word === TRUST && last > first) {
    take(segment, name, last, Entity.Trust);
    if (KINDS.has(canon[last - 1]!) && last - 1 > first) {
      if (NAMED_KINDS.has(canon[last - 1]!)) {
        segment.entityKind = canon[last - 1]!;
        take(segment, name, last - 1, Entity.Trust);
      }
    }
  } else if (word === SMSF) take(segment, name, last, Entity.Fund);
  else if (word === FUND && last > first && canon[last - 1] === SUPER) {
    take(segment, name, last, Entity.Fund);
    take(segment, name, last - 1, Entity.Fund);
  }
}

/** Finds words that say what the account is for: "Payroll Account", "Trust A/C". They name no other holder. */
export function markPurpose(name: Name, segment: Segment): void {
  const { reading } = name;
  segment.purpose = 0;
  segment.purposeFirst = -1;
  segment.purposeLast = -1;
  if ((reading.union & PURPOSE) === 0) return;
  let i = segment.end - 1;
  while (i > segment.first + 1 && (reading.flags[i]! & PURPOSE) !== 0) i--;
  if (i === segment.end - 1) return;
  if (reading.canon[i] === TRUST && i > segment.first + 1) i--;
  let purpose = 0;
  for (let k = i + 1; k < segment.end; k++) {
    reading.role[k] = Role.Purpose;
    purpose = (Math.imul(purpose, 31) + reading.canon[k]!) | 0;
  }
  segment.purpose = purpose;
  segment.purposeFirst = i + 1;
  segment.purposeLast = segment.end - 1;
}
