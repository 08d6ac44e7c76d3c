import { type Name, type Part, PartKind } from "../parsing/name";
import { collectCore } from "../parsing/parse-name";
import { Gap, type Word } from "../reading/word";
import { compareOrganisations } from "./compare-organisations";
import type { Context } from "./context";
import { type Evidence, Severity } from "./evidence";

/** A name as its main part and, where it has one, its second: a trading name, or for whom a trustee holds. */
interface Parted {
  name: Name;
  main: Part;
  second: Part | undefined;
}

/** "Bolt Electrical (Acme Pty Ltd)": a bracket can hold the other name. */
function openBracket(name: Name): Parted {
  const { reading, main } = name;
  for (let k = main.from + 1; k < main.end; k++) {
    if ((reading.word(k).gap & Gap.Open) === 0) continue;
    const { before, within } = name.bracket;
    before.copy(main, k);
    within.clear(k, main.end);
    collectCore(name, before);
    collectCore(name, within);
    return { name, main: before, second: within };
  }
  return { name, main, second: undefined };
}

function takeParts(name: Name, other: Name, kind: PartKind): Parted {
  if (name.has(kind)) return { name, main: name.main, second: name.part(kind) };
  if (kind === PartKind.Trading && other.has(kind)) return openBracket(name);
  return { name, main: name.main, second: undefined };
}

const firstOf = (name: Name, part: Part): Word | undefined =>
  part.from < part.end ? name.reading.word(part.from) : undefined;
const lastOf = (name: Name, part: Part): Word | undefined =>
  part.from < part.end ? name.reading.word(part.end - 1) : undefined;

type PartedType = "trading_as" | "trustee";

/** Both names have a second part: the parts are compared one with another. */
function compareBoth(a: Parted, b: Parted, type: PartedType, context: Context): void {
  const { evidence } = context;
  const [secondA, secondB] = [a.second ?? a.main, b.second ?? b.main];
  const mainAgrees = evidence.keepIfAgreeing(() => compareOrganisations(a.main, b.main, context));
  const secondAgrees = evidence.keepIfAgreeing(() => compareOrganisations(secondA, secondB, context));
  if (mainAgrees && secondAgrees) return;
  const isKept = type === "trading_as" ? mainAgrees : secondAgrees;
  const severity = isKept ? Severity.Close : Severity.Conflict;
  const [x, y] = mainAgrees ? [secondA, secondB] : [a.main, b.main];
  const reason = mainAgrees || type === "trustee" ? type : "different_token";
  evidence
    .note(reason, severity, 22)
    .about(firstOf(a.name, x), firstOf(b.name, y))
    .through(lastOf(a.name, x), lastOf(b.name, y));
}

/** Only one name has a second part: the other is compared with either part. */
function compareWithEither(a: Parted, b: Parted, type: PartedType, context: Context): void {
  const { evidence } = context;
  const mainAgrees = evidence.keepIfAgreeing(() => compareOrganisations(a.main, b.main, context));
  const secondAgrees =
    !mainAgrees && evidence.keepIfAgreeing(() => compareOrganisations(a.second ?? a.main, b.second ?? b.main, context));
  const severity = mainAgrees || secondAgrees ? Severity.Close : Severity.Conflict;
  noteSecond(a, b, evidence.note(type, severity, mainAgrees ? 10 : 12));
}

function noteSecond(a: Parted, b: Parted, finding: ReturnType<Evidence["note"]>): void {
  const ends = ({ name, second }: Parted) =>
    second === undefined ? [undefined, undefined] : [firstOf(name, second), lastOf(name, second)];
  const [firstA, lastA] = ends(a);
  const [firstB, lastB] = ends(b);
  finding.about(firstA, firstB).through(lastA, lastB);
}

/** Compares two organisations' names: their parts, where one or both have several, else the whole. */
export function compareByParts(a: Name, b: Name, context: Context): void {
  const isTrading = a.has(PartKind.Trading) || b.has(PartKind.Trading);
  if (!isTrading && !a.has(PartKind.Beneficiary) && !b.has(PartKind.Beneficiary)) {
    compareOrganisations(a.main, b.main, context);
    return;
  }
  const kind = isTrading ? PartKind.Trading : PartKind.Beneficiary;
  const [x, y] = [takeParts(a, b, kind), takeParts(b, a, kind)];
  const type = isTrading ? "trading_as" : "trustee";
  if (x.second !== undefined && y.second !== undefined) compareBoth(x, y, type, context);
  else compareWithEither(x, y, type, context);
}
