import type { Person } from "~/kernel/actor";
import { invalidInput } from "~/kernel/app-error";
import { formatDateTime } from "~/kernel/dates";
import { normalizeText } from "~/kernel/normalize";
import { sitePaths } from "~/kernel/paths/site";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, Services } from "~/services";

/**
 * Passwords that attackers try first. Pure.
 *
 * A list of exact passwords would miss each new year and each other ending, so this keeps the words and undoes what
 * people do to make a word pass the rules: capitals, look-alike characters, and a few digits and signs around it.
 */

const WORDS = new Set(
  (
    "password passwort passcode pass passwd mypassword thepassword newpassword changeme changeit letmein welcome hello login admin " +
    "administrator root superuser user guest master manager default temp temporary system server oracle cisco " +
    "qwerty qwertyuiop qwertz azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc qweasd qweasdzxc qwe qaz abc abcd abcdef " +
    "iloveyou loveyou lovely love princess prince sunshine monkey dragon tiger lion eagle falcon phoenix shadow " +
    "superman batman spiderman starwars pokemon pikachu naruto matrix hunter killer ninja warrior thunder " +
    "football soccer baseball basketball hockey cricket rugby liverpool arsenal chelsea everton barcelona juventus " +
    "collingwood essendon hawthorn richmond carlton geelong fremantle broncos rabbitohs roosters wallabies " +
    "michael jordan daniel thomas robert andrew joshua matthew anthony william charlie george harley taylor ashley " +
    "jessica jennifer michelle amanda nicole samantha hannah sophie charlotte olivia maggie ginger pepper " +
    "summer winter autumn spring january february march april june july august september october november december " +
    "monday tuesday wednesday thursday friday saturday sunday christmas easter holiday birthday " +
    "australia aussie sydney melbourne brisbane perth adelaide canberra hobart darwin queensland tasmania victoria " +
    "america canada england london london paris berlin company office business internet computer google facebook " +
    "microsoft windows apple samsung iphone android yamaha ferrari porsche mercedes toyota holden commodore mustang corvette " +
    "freedom whatever trustno jesus heaven angel angels family forever friends happy lucky magic music guitar flower " +
    "butterfly chocolate cookie cheese coffee banana orange purple yellow silver golden diamond money dollar access " +
    "merlin maverick ranger cowboy biteme bailey buster jackson spring snoopy mickey donald tigger scooby payeeproof"
  ).split(" "),
);

const LOOKALIKES: Readonly<Record<string, string>> = {
  "@": "a",
  "4": "a",
  "3": "e",
  "€": "e",
  "1": "i",
  "!": "i",
  "|": "i",
  "0": "o",
  $: "s",
  "5": "s",
  "7": "t",
  "+": "t",
};

/** What the digits give with Shift held. */
const SHIFTED: Readonly<Record<string, string>> = { "!": "1", "@": "2", "#": "3", $: "4", "%": "5" };

const AROUND = 6;
const EDGES = new RegExp(`^[^\\p{L}]{0,${AROUND}}|[^\\p{L}]{0,${AROUND}}$`, "gu");
const KEYBOARD = /^(?:1q2w3e4r5?t?6?y?|1qaz2wsx(?:3edc)?|qwer1234|abcd1234|1234qwer|a1b2c3d4e?5?)$/;

const plain = (text: string) => [...text].map((character) => LOOKALIKES[character] ?? character).join("");

/**
 * Whether a password is one of those that are tried first: a common word or run of keys, in any case, with look-alike
 * characters, with up to six digits and signs before and after it.
 */
export function isCommonPassword(password: string): boolean {
  const lower = normalizeText(password, "NFKC").toLowerCase();
  // A look-alike may be at the edge, as in "Pa$$w0rd!" or "5ummer", so each reading has its turn.
  const readings = [lower, lower.replace(EDGES, ""), lower.replace(/[^\p{L}]{0,6}$/u, "")];
  const words = readings.flatMap((text) => [text, plain(text), plain(text.replace(EDGES, ""))]);
  const isWord = words.some((word) => WORDS.has(word) || isTwice(word) || isOneCharacter(word));
  const keys = [...lower].map((character) => SHIFTED[character] ?? character).join("");
  return isWord || [lower, keys].some((text) => KEYBOARD.test(text.replace(/[^a-z0-9]/g, "")));
}

const isTwice = (word: string) =>
  word.length >= 6 &&
  word.length % 2 === 0 &&
  word === word.slice(word.length / 2).repeat(2) &&
  WORDS.has(word.slice(word.length / 2));

const isOneCharacter = (word: string) => word.length > 2 && new Set(word).size === 1;

const COMMON = "This password is one of those that attackers try first. Please choose another one";
const BREACHED = "This password is known from a data breach. Please choose another one";

/**
 * Refuses a new password that attackers know: asked wherever one is set, after the rules of the specification.
 * @throws AppError 400 with the sentence beside the field
 */
export async function requireUnknownPassword(
  { breachedPasswords }: Pick<Services, "breachedPasswords">,
  password: string,
): Promise<void> {
  if (isCommonPassword(password)) throw invalidInput({ password: [COMMON] }, COMMON);
  if (await breachedPasswords.isBreached(password)) throw invalidInput({ password: [BREACHED] }, BREACHED);
}

/** The email that tells a person of their new password. */
export function queuePasswordChanged(
  services: NotifyServices,
  { organizationId, firstName, email }: Pick<Person, "organizationId" | "firstName" | "email">,
  how: "reset" | "changed",
): Promise<NewJob[]> {
  const at = formatDateTime(services.clock.now());
  return queueEmail(services, organizationId, [email], {
    template: "passwordChanged",
    data: { firstName, at, how, href: `${services.config.appOrigin}${sitePaths.forgotPassword}` },
  });
}
