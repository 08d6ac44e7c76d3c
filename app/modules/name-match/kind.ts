import { Entity, type Name } from "./name";
import { listPerson, looksPersonal } from "./persons";
import { Mark } from "./reading";
import type { NameKind } from "./types";
import { BRANCH, COUNTRY, GIVEN, GROUP, LINK, PERSONAL, PURPOSE, STATE, TITLE, TRADE } from "./vocabulary/flags";
import { Words } from "./words";

/** How two names are to be compared. */
export enum Mode {
  Organisation = 0,
  Person = 1,
  Joint = 2,
}

const BUSINESS = TRADE | GROUP | BRANCH | COUNTRY | PURPOSE | STATE;

/** Does the name itself say that it is an organisation's? */
export function looksOrganised(name: Name): boolean {
  const { reading, segments } = name;
  const main = segments[0];
  if (main.form !== 0 || main.entity === Entity.Trust || main.entity === Entity.Fund || main.entity === Entity.Estate)
    return true;
  if ((name.has & 6) !== 0 || (reading.marks & Mark.Digit) !== 0) return true;
  if ((reading.union & (BUSINESS | LINK)) === 0) return false;
  for (let k = 0; k < main.count; k++) {
    const flags = reading.flags[main.core[k]!]!;
    if ((flags & BUSINESS) !== 0 && (flags & PERSONAL) === 0) return true;
    if ((flags & LINK) !== 0 && k > 0 && (flags & PERSONAL) === 0 && reading.length[main.core[k]!]! > 1) return true;
  }
  return false;
}

/** Legal form, trust, fund or trading name: such a name is no person's whatever the hint says. */
function isIncorporated(name: Name): boolean {
  const main = name.segments[0];
  return main.form !== 0 || main.entity !== Entity.None || (name.has & 6) !== 0;
}

const scratch = new Words();

function isPersonal(name: Name): boolean {
  if (looksOrganised(name)) return false;
  if ((name.reading.union & TITLE) !== 0 && name.title === 0) return true;
  if (name.comma > 0 && name.comma <= 2 && name.segments[0].count - name.comma <= 3) return true;
  listPerson(name, scratch);
  return looksPersonal(scratch);
}

function holdsPeople(name: Name): boolean {
  if (name.and < 0 || looksOrganised(name)) return false;
  const { reading } = name;
  for (let k = 0; k < name.segments[0].count; k++) {
    const token = name.segments[0].core[k]!;
    if (reading.length[token]! <= 2 || (reading.flags[token]! & GIVEN) !== 0) return true;
  }
  return name.title >= 0;
}

/** Decides how to compare two names: what they say themselves outweighs the hint. */
export function chooseMode(a: Name, b: Name, kind: NameKind | undefined): Mode {
  const severalA = a.and >= 0;
  const severalB = b.and >= 0;
  if (severalA || severalB) {
    if (isIncorporated(a) || isIncorporated(b)) return Mode.Organisation;
    if (kind === "person") return Mode.Joint;
    if (looksOrganised(a) || looksOrganised(b)) return Mode.Organisation;
    if (kind === "joint") return Mode.Joint;
    const peopleA = severalA ? holdsPeople(a) : isPersonal(a);
    const peopleB = severalB ? holdsPeople(b) : isPersonal(b);
    return peopleA && peopleB ? Mode.Joint : Mode.Organisation;
  }
  if (isIncorporated(a) || isIncorporated(b)) return Mode.Organisation;
  if (kind === "person" || kind === "joint") return Mode.Person;
  const personalA = isPersonal(a);
  const personalB = isPersonal(b);
  if (personalA && personalB) return Mode.Person;
  if (kind === "org") return Mode.Organisation;
  if ((personalA && !looksOrganised(b)) || (personalB && !looksOrganised(a))) return Mode.Person;
  return Mode.Organisation;
}
