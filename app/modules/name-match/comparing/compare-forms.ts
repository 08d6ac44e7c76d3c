import { isAny, type Name, type Part, type Stretch, sameStretch } from "~/modules/name-match/name";
import { isCompany } from "../parsing/find-legal-form";
import { Flag } from "../vocabulary";
import { type Evidence, Link, Severity } from "./evidence";

/** A part of a name, together with the name. */
export interface PartOf {
  name: Name;
  part: Part;
}

/** Records that two stretches of words belong together. */
function tieStretches(link: Link, a: Stretch | undefined, b: Stretch | undefined, evidence: Evidence): void {
  if (a !== undefined && b !== undefined) evidence.tie(link, a.first, b.first, a.last, b.last);
}

/** Does a part begin with its legal form ("OOO Example")? */
const leadsWith = (form: Stretch | undefined, { from }: Part) => form?.first.index === from;

/** Compares legal forms: spelling is ignored; a missing, different or moved form counts. */
export function compareForms({ name: nameA, part: a }: PartOf, { name: nameB, part: b }: PartOf, evidence: Evidence) {
  if (a.form === "" && b.form === "") return;
  const x = a.formWords;
  const y = b.formWords;
  const isSame = a.form === b.form;
  const isSlip = isSame && a.isFormSlipped !== b.isFormSlipped;
  tieStretches(!isSame ? Link.Different : isSlip ? Link.Letters : Link.Same, x, y, evidence);
  if (isSame && leadsWith(x, a) !== leadsWith(y, b)) {
    evidence.note("order", Severity.Close, 3, x?.first, y?.first, x?.last, y?.last);
    return;
  }
  if (isSame && sameStretch(nameA, x, nameB, y)) return;
  const bothHave = a.form !== "" && b.form !== "";
  const isSpelling = isSame && !isSlip;
  if (isPersonBesideCompany({ name: nameA, part: a }, { name: nameB, part: b })) {
    evidence.note("entity_kind", Severity.Close, 18, x?.first, y?.first, x?.last, y?.last);
    return;
  }
  const weight = isSpelling ? 1 : bothHave && !isSame ? 8 : 3;
  const severity = isSpelling ? Severity.Format : Severity.Close;
  evidence.note(isSlip ? "typo" : "legal_form", severity, weight, x?.first, y?.first, x?.last, y?.last);
}

/** Compares kinds of holder: a company, a trust, a fund and a person are different holders. */
export function compareHolderKinds(a: PartOf, b: PartOf, evidence: Evidence): void {
  const kindA = a.part.holder;
  const kindB = b.part.holder;
  if (kindA === "plain" && kindB === "plain") return;
  const x = a.part.holderWords;
  const y = b.part.holderWords;
  const note = (severity: Severity, weight: number) =>
    evidence.note("entity_kind", severity, weight, x?.first, y?.first, x?.last, y?.last);
  if (kindA === kindB) {
    const trustA = a.part.trustKind;
    const trustB = b.part.trustKind;
    if (trustA === trustB) {
      tieStretches(Link.Same, x, y, evidence);
      return;
    }
    if (x !== undefined && y !== undefined) evidence.tie(Link.Same, x.last, y.last);
    note(trustA !== "" && trustB !== "" ? Severity.Conflict : Severity.Close, 12);
    return;
  }
  const [named, plain] = kindA === "plain" ? [b, a] : [a, b];
  const { holder, form, core } = plain.part;
  const isOther = holder !== "plain" || form !== "" || core.length < 2 || isPersonOnly(plain);
  note(named.part.holder !== "estate" && isOther ? Severity.Conflict : Severity.Close, 18);
}

/** "Payroll account": the same holder, but a person should look. Two different purposes are two accounts. */
export function comparePurposes(a: Part, b: Part, evidence: Evidence): void {
  if (a.purpose === "" && b.purpose === "") return;
  const x = a.purposeWords;
  const y = b.purposeWords;
  if (a.purpose === b.purpose) {
    tieStretches(Link.Same, x, y, evidence);
    return;
  }
  const severity = a.purpose !== "" && b.purpose !== "" ? Severity.Conflict : Severity.Close;
  evidence.note("extra_token", severity, 14, x?.first, y?.first, x?.last, y?.last);
}

const BUSINESS = Flag.Trade | Flag.Group | Flag.Branch | Flag.Country | Flag.State | Flag.Place;

/** Is this part only a person's name: two or three words, a given name first, no business word? */
function isPersonOnly({ name, part: { form, holder, core } }: PartOf): boolean {
  const first = core[0];
  const last = core.at(-1);
  if (form !== "" || holder !== "plain" || name.and !== undefined || core.length < 2 || core.length > 3) return false;
  if (first === undefined || last === undefined || !isAny(first, Flag.Given)) return false;
  return isAny(last, Flag.Surname) || !isAny(last, BUSINESS);
}

/**
 * One name is a person's, the other is the same with a company's legal form: it may be the company without its form, or
 * the person.
 */
function isPersonBesideCompany(a: PartOf, b: PartOf): boolean {
  if (isCompany(a.part.form) === isCompany(b.part.form)) return false;
  return isPersonOnly(isCompany(a.part.form) ? b : a);
}
