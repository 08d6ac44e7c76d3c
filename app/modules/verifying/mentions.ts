/** Who a comment mentions: `@` and a name. Pure. */

type Person = { userId: string; name: string };

/** An @ that starts a word: the one in an email address does not. */
const AT = /(?<![\p{L}\p{N}._%+-])@(?=\p{L})/gu;
const WORD = /^[\p{L}\p{N}'’-]+/u;

/** The ways to write a person: the whole name, or the first name where nobody else has it. */
function namesOf(person: Person, people: readonly Person[]): string[] {
  const first = firstNameOf(person);
  const isOnly = people.filter((other) => firstNameOf(other) === first).length === 1;
  return isOnly ? [person.name.toLowerCase(), first] : [person.name.toLowerCase()];
}

const firstNameOf = ({ name }: Person): string => (name.split(" ")[0] ?? name).toLowerCase();

/** Whether a text begins with a name that ends there. */
const startsWith = (text: string, name: string): boolean =>
  text.startsWith(name) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length));

/**
 * The people that a text mentions, each once, in the order of `people`, and the words behind an @ that name nobody or
 * more than one person. Upper and lower case do not matter.
 */
export function findMentions<P extends Person>(text: string, people: readonly P[]): { people: P[]; unknown: string[] } {
  const mentioned = new Set<P>();
  const unknown: string[] = [];
  for (const { index } of text.matchAll(AT)) {
    const rest = text.slice(index + 1);
    const found = people.filter((person) =>
      namesOf(person, people).some((name) => startsWith(rest.toLowerCase(), name)),
    );
    const longest = Math.max(
      0,
      ...found.map(({ name }) => (startsWith(rest.toLowerCase(), name.toLowerCase()) ? name.length : 0)),
    );
    const meant = longest > 0 ? found.filter(({ name }) => name.length === longest) : found;
    for (const person of meant) mentioned.add(person);
    if (meant.length === 0) unknown.push(WORD.exec(rest)?.[0] ?? rest);
  }
  return { people: people.filter((person) => mentioned.has(person)), unknown };
}
