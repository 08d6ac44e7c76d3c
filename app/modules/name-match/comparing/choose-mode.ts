import { Holder, type Name, PartKind } from "../parsing/name";
import { Mark } from "../reading/reading";
import type { NameKind } from "../types";
import { Flag } from "../vocabulary/flags";
import type { Context } from "./context";
import { listPerson, looksPersonal } from "./list-person";

/** How two names are to be compared. */
export enum Mode {
  Organisation = 0,
  Person = 1,
  Joint = 2,
}

const BUSINESS = Flag.Trade | Flag.Group | Flag.Branch | Flag.Country | Flag.Purpose | Flag.State;

const namesSeveral = (name: Name) => name.has(PartKind.Trading) || name.has(PartKind.Beneficiary);

/** Does a name without legal form or second part say itself that it is an organisation's? */
function looksOrganised({ reading, main }: Name): boolean {
  if ((reading.marks & Mark.Digit) !== 0) return true;
  if ((reading.union & (BUSINESS | Flag.Link)) === 0) return false;
  for (let k = 0; k < main.core.count; k++) {
    const word = main.core.at(k);
    if (word.has(Flag.Personal)) continue;
    if (word.has(BUSINESS) || (word.has(Flag.Link) && k > 0 && word.length > 1)) return true;
  }
  return false;
}

/** Legal form, trust, fund or trading name: such a name is no person's whatever the hint says. */
const isIncorporated = (name: Name) => name.main.form !== 0 || name.main.holder !== Holder.Plain || namesSeveral(name);

const MAX_SURNAME = 2;
const MAX_GIVEN = 3;

function isPersonal(name: Name, { personA }: Context): boolean {
  const { reading, main, beforeComma } = name;
  if (looksOrganised(name)) return false;
  if ((reading.union & Flag.Title) !== 0 && name.title?.index === 0) return true;
  if (beforeComma > 0 && beforeComma <= MAX_SURNAME && main.core.count - beforeComma <= MAX_GIVEN) return true;
  return looksPersonal(listPerson(name, personA));
}

/** A capital letter within a word: two names written as one. */
const INNER_CAPITAL = /\p{Ll}\p{Lu}/u;

/**
 * Is one name a single word and the other a person's, with the same letters in several ("PolPot", "Pol Pot")? That it
 * is a person's shows in a capital letter within the word, or in a name that is known; "Bartercard" has neither.
 */
function areWrittenApart(a: Name, b: Name): boolean {
  const [x, y] = [a.reading, b.reading];
  if (x.size !== y.size || Math.min(x.count, y.count) !== 1 || x.count === y.count) return false;
  for (let k = 0; k < x.size; k++) if (x.letters[k] !== y.letters[k]) return false;
  const [single, several] = x.count === 1 ? [x, y] : [y, x];
  if (!INNER_CAPITAL.test(single.text) && (several.union & Flag.Personal) === 0) return false;
  return !looksOrganised(a) && !looksOrganised(b);
}

const MAX_INITIALS = 2;

/** Are the words around an "and" people's, in a name that says nothing of an organisation? */
const holdsPeople = ({ title, main }: Name) =>
  title !== undefined || main.core.some((word) => word.length <= MAX_INITIALS || word.has(Flag.Given));

/** Decides how to compare two names: what they say themselves outweighs the hint. */
export function chooseMode(a: Name, b: Name, kind: NameKind | undefined, context: Context): Mode {
  const isSeveralA = a.and !== undefined;
  const isSeveralB = b.and !== undefined;
  if (isIncorporated(a) || isIncorporated(b)) return Mode.Organisation;
  if (isSeveralA || isSeveralB) {
    if (kind === "person") return Mode.Joint;
    if (looksOrganised(a) || looksOrganised(b)) return Mode.Organisation;
    if (kind === "joint") return Mode.Joint;
    const arePeopleA = isSeveralA ? holdsPeople(a) : isPersonal(a, context);
    const arePeopleB = isSeveralB ? holdsPeople(b) : isPersonal(b, context);
    return arePeopleA && arePeopleB ? Mode.Joint : Mode.Organisation;
  }
  if (kind === "person" || kind === "joint") return Mode.Person;
  const isPersonalA = isPersonal(a, context);
  if (!isPersonalA && kind === "org") return Mode.Organisation;
  const isPersonalB = isPersonal(b, context);
  if (isPersonalA && isPersonalB) return Mode.Person;
  if (kind === "org") return Mode.Organisation;
  if (kind === undefined && areWrittenApart(a, b)) return Mode.Person;
  const isOne = (isPersonalA && !looksOrganised(b)) || (isPersonalB && !looksOrganised(a));
  return isOne ? Mode.Person : Mode.Organisation;
}
