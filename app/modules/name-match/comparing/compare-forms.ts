import { isCompany } from "../parsing/find-legal-form";
import { Holder, type Name, type Part, type Stretch } from "../parsing/name";
import { Flag } from "../vocabulary/flags";
import { type Evidence, Link, Severity } from "./evidence";

/** Two stretches of words as findings and ties quote them. */
function tieStretches(link: Link, a: Stretch, b: Stretch, evidence: Evidence): void {
  if (a.first !== undefined && b.first !== undefined) evidence.tie(link, a.first, b.first).through(a.last, b.last);
}

/** Are the words of two stretches the same, one by one? */
export function sameStretch(nameA: Name, a: Stretch, nameB: Name, b: Stretch): boolean {
  if (a.first === undefined || a.last === undefined || b.first === undefined || b.last === undefined) return false;
  const length = a.last.index - a.first.index;
  if (length !== b.last.index - b.first.index) return false;
  for (let k = 0; k <= length; k++) {
    if (nameA.reading.word(a.first.index + k).key !== nameB.reading.word(b.first.index + k).key) return false;
  }
  return true;
}

/** Does a part begin with its legal form ("OOO Example")? */
const leadsWith = ({ first }: Stretch, { from }: Part) => first?.index === from;

/** Compares legal forms: spelling does not matter; a missing, another or a moved form does. */
export function compareForms(a: Part, b: Part, evidence: Evidence): void {
  if (a.form === 0 && b.form === 0) return;
  const x = a.formWords;
  const y = b.formWords;
  const isSame = a.form === b.form;
  const isSlip = isSame && a.isFormSlipped !== b.isFormSlipped;
  tieStretches(!isSame ? Link.Different : isSlip ? Link.Letters : Link.Same, x, y, evidence);
  if (isSame && leadsWith(x, a) !== leadsWith(y, b)) {
    evidence.note("order", Severity.Close, 3).about(x.first, y.first).through(x.last, y.last);
    return;
  }
  if (isSame && sameStretch(a.name, x, b.name, y)) return;
  const bothHave = a.form !== 0 && b.form !== 0;
  const isSpelling = isSame && !isSlip;
  const weight = isSpelling ? 1 : bothHave && !isSame ? 8 : 3;
  const severity = isSpelling ? Severity.Format : Severity.Close;
  evidence
    .note(isSlip ? "typo" : "legal_form", severity, weight)
    .about(x.first, y.first)
    .through(x.last, y.last);
}

/** Compares kinds of holder: a company, a trust, a fund and a person are different holders. */
export function compareHolderKinds(a: Part, b: Part, evidence: Evidence): void {
  if (a.holder === Holder.Plain && b.holder === Holder.Plain) return;
  const x = a.holderWords;
  const y = b.holderWords;
  if (a.holder === b.holder) {
    if (a.trustKind === b.trustKind) {
      tieStretches(Link.Same, x, y, evidence);
      return;
    }
    if (x.last !== undefined && y.last !== undefined) evidence.tie(Link.Same, x.last, y.last);
    const severity = a.trustKind !== 0 && b.trustKind !== 0 ? Severity.Conflict : Severity.Close;
    evidence.note("entity_kind", severity, 12).about(x.first, y.first).through(x.last, y.last);
    return;
  }
  const named = a.holder === Holder.Plain ? b : a;
  const plain = named === a ? b : a;
  const isOther = plain.holder !== Holder.Plain || plain.form !== 0 || plain.core.count < 2 || isPersonOnly(plain);
  const severity = named.holder !== Holder.Estate && isOther ? Severity.Conflict : Severity.Close;
  evidence.note("entity_kind", severity, 18).about(x.first, y.first).through(x.last, y.last);
}

/** "Payroll account": the same holder, but somebody should look. Two different purposes are two accounts. */
export function comparePurposes(a: Part, b: Part, evidence: Evidence): void {
  if (a.purpose === 0 && b.purpose === 0) return;
  const x = a.purposeWords;
  const y = b.purposeWords;
  if (a.purpose === b.purpose) {
    tieStretches(Link.Same, x, y, evidence);
    return;
  }
  const severity = a.purpose !== 0 && b.purpose !== 0 ? Severity.Conflict : Severity.Close;
  evidence.note("extra_token", severity, 14).about(x.first, y.first).through(x.last, y.last);
}

const BUSINESS = Flag.Trade | Flag.Group | Flag.Branch | Flag.Country | Flag.State | Flag.Place;

/** Is this part a person's name and nothing else: two or three words, a given name first, no business word? */
export function isPersonOnly({ form, holder, core, name }: Part): boolean {
  if (form !== 0 || holder !== Holder.Plain || name.and !== undefined || core.count < 2 || core.count > 3) return false;
  if (!core.at(0).has(Flag.Given)) return false;
  const last = core.at(core.count - 1);
  return last.has(Flag.Surname) || !last.has(BUSINESS);
}

/** A company is not the person it is called after. */
export function compareCompanyWithPerson(a: Part, b: Part, evidence: Evidence): void {
  if (isCompany(a.form) === isCompany(b.form)) return;
  if (!isPersonOnly(isCompany(a.form) ? b : a)) return;
  const x = a.formWords;
  const y = b.formWords;
  evidence.note("entity_kind", Severity.Conflict, 0).about(x.first, y.first).through(x.last, y.last);
}
