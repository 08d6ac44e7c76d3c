import type { Name } from "../parsing/name";
import { isAny, lettersOf, Mark } from "../reading/word";
import type { NameKind } from "../types";
import { Flag } from "../vocabulary";
import { listPerson, looksPersonal } from "./compare-people";

/** How two names are to be compared. */
export type Mode = "organisation" | "person" | "joint";

const BUSINESS = Flag.Trade | Flag.Group | Flag.Branch | Flag.Country | Flag.Purpose | Flag.State;

/** Does a name without legal form or second part say itself that it is an organisation's? */
function looksOrganised({ reading, main }: Name): boolean {
  if ((reading.marks & Mark.Digit) !== 0) return true;
  if ((reading.union & (BUSINESS | Flag.Link)) === 0) return false;
  return main.core.some((word, k) => {
    if (isAny(word, Flag.Personal)) return false;
    return isAny(word, BUSINESS) || (isAny(word, Flag.Link) && k > 0 && word.text.length > 1);
  });
}

/** Legal form, trust, fund or trading name: such a name is no person's whatever the hint says. */
const isIncorporated = ({ main, trading, beneficiary }: Name) =>
  main.form !== "" || main.holder !== "plain" || trading !== undefined || beneficiary !== undefined;

const MAX_SURNAME = 2;
const MAX_GIVEN = 3;

function isPersonal(name: Name): boolean {
  const { title, main, beforeComma } = name;
  if (looksOrganised(name)) return false;
  if (title?.index === 0) return true;
  if (beforeComma > 0 && beforeComma <= MAX_SURNAME && main.core.length - beforeComma <= MAX_GIVEN) return true;
  return looksPersonal(listPerson(name));
}

/** A capital letter within a word: two names written as one. */
const INNER_CAPITAL = /\p{Ll}\p{Lu}/u;

/**
 * Is one name a single word and the other a person's, with the same letters in several ("PolPot", "Pol Pot")? That it
 * is a person's shows in a capital letter within the word, or in a name that is known; "Bartercard" has neither.
 */
function areWrittenApart(a: Name, b: Name): boolean {
  const x = a.reading;
  const y = b.reading;
  if (x.size !== y.size || Math.min(x.words.length, y.words.length) !== 1) return false;
  if (x.words.length === y.words.length || lettersOf(x) !== lettersOf(y)) return false;
  const [single, several] = x.words.length === 1 ? [x, y] : [y, x];
  if (!INNER_CAPITAL.test(single.text) && (several.union & Flag.Personal) === 0) return false;
  return !looksOrganised(a) && !looksOrganised(b);
}

const MAX_INITIALS = 2;

/** Are the words around an "and" people's, in a name that says nothing of an organisation? */
const holdsPeople = ({ title, main }: Name) =>
  title !== undefined || main.core.some((word) => word.text.length <= MAX_INITIALS || isAny(word, Flag.Given));

/** Decides how to compare two names: what they say themselves outweighs the hint. */
export function chooseMode(a: Name, b: Name, kind: NameKind | undefined): Mode {
  if (isIncorporated(a) || isIncorporated(b)) return "organisation";
  if (a.and !== undefined || b.and !== undefined) {
    if (kind === "person") return "joint";
    if (looksOrganised(a) || looksOrganised(b)) return "organisation";
    if (kind === "joint") return "joint";
    const arePeople = (name: Name) => (name.and === undefined ? isPersonal(name) : holdsPeople(name));
    return arePeople(a) && arePeople(b) ? "joint" : "organisation";
  }
  if (kind === "person" || kind === "joint") return "person";
  const isPersonalA = isPersonal(a);
  if (!isPersonalA && kind === "org") return "organisation";
  const isPersonalB = isPersonal(b);
  if (isPersonalA && isPersonalB) return "person";
  if (kind === "org") return "organisation";
  if (kind === undefined && areWrittenApart(a, b)) return "person";
  const isOne = (isPersonalA && !looksOrganised(b)) || (isPersonalB && !looksOrganised(a));
  return isOne ? "person" : "organisation";
}
