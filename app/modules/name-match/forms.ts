import { type Evidence, Link, Severity } from "./evidence";
import { LTD_ONLY, PTY_LTD, PTY_ONLY } from "./legal-form";
import { Entity, type Name, type Segment } from "./name";
import { BRANCH, COUNTRY, GIVEN, GROUP, PLACE, STATE, SURNAME, TRADE } from "./vocabulary/flags";

export const isCompany = (form: number) => form === PTY_LTD || form === PTY_ONLY || form === LTD_ONLY;

/** Compares legal forms: spelling does not matter, a missing or another form does. */
export function compareForms(a: Name, sa: Segment, b: Name, sb: Segment, evidence: Evidence): void {
  if (sa.form === 0 && sb.form === 0) return;
  if (sa.form !== 0 && sb.form !== 0) {
    evidence.link(sa.form === sb.form ? Link.Same : Link.Letters, sa.formFirst, sa.formLast, sb.formFirst, sb.formLast);
    if (sa.form === sb.form) {
      if (sa.formLast - sa.formFirst !== sb.formLast - sb.formFirst || !sameForm(a, sa, b, sb)) {
        evidence.note("legal_form", Severity.Format, 1, sa.formFirst, sa.formLast, sb.formFirst, sb.formLast);
      }
    } else {
      evidence.note("legal_form", Severity.Close, 8, sa.formFirst, sa.formLast, sb.formFirst, sb.formLast);
    }
    return;
  }
  evidence.note("legal_form", Severity.Close, 3, sa.formFirst, sa.formLast, sb.formFirst, sb.formLast);
}

function sameForm(a: Name, sa: Segment, b: Name, sb: Segment): boolean {
  for (let k = 0; k <= sa.formLast - sa.formFirst; k++) {
    if (a.reading.word[sa.formFirst + k] !== b.reading.word[sb.formFirst + k]) return false;
  }
  return true;
}

/** Compares kinds of holder: a company, a trust, a fund and a person are different holders. */
export function compareEntities(a: Name, sa: Segment, b: Name, sb: Segment, evidence: Evidence): void {
  if (sa.entity === sb.entity) {
    if (sa.entity === Entity.None) return;
    evidence.link(Link.Same, sa.entityFirst, sa.entityLast, sb.entityFirst, sb.entityLast);
    if (sa.entityKind === sb.entityKind) return;
    const severity = sa.entityKind !== 0 && sb.entityKind !== 0 ? Severity.Conflict : Severity.Close;
    evidence.note("entity_kind", severity, 12, sa.entityFirst, sa.entityLast, sb.entityFirst, sb.entityLast);
    return;
  }
  const other = sa.entity === Entity.None ? sa : sb;
  const owner = sa.entity === Entity.None ? sb : sa;
  const person = isPersonOnly(other === sa ? a : b, other);
  const unlike = other.entity !== Entity.None || other.form !== 0 || other.count < 2 || person;
  const severity = owner.entity === Entity.Estate ? Severity.Close : unlike ? Severity.Conflict : Severity.Close;
  evidence.note("entity_kind", severity, 18, sa.entityFirst, sa.entityLast, sb.entityFirst, sb.entityLast);
}

/** "Payroll account": the same holder, but somebody should look. Two different purposes are two accounts. */
export function comparePurposes(sa: Segment, sb: Segment, evidence: Evidence): void {
  if (sa.purpose === sb.purpose) {
    if (sa.purpose !== 0) evidence.link(Link.Same, sa.purposeFirst, sa.purposeLast, sb.purposeFirst, sb.purposeLast);
    return;
  }
  const severity = sa.purpose !== 0 && sb.purpose !== 0 ? Severity.Conflict : Severity.Close;
  evidence.note("extra_token", severity, 14, sa.purposeFirst, sa.purposeLast, sb.purposeFirst, sb.purposeLast);
}

/** Is this part a person's name and nothing else: two or three words, a given name first, no business word? */
export function isPersonOnly(name: Name, segment: Segment): boolean {
  if (segment.form !== 0 || segment.entity !== Entity.None || segment.count < 2 || segment.count > 3) return false;
  if (name.and >= 0) return false;
  const { flags } = name.reading;
  if ((flags[segment.core[0]!]! & GIVEN) === 0) return false;
  const last = flags[segment.core[segment.count - 1]!]!;
  return (last & SURNAME) !== 0 || (last & (TRADE | GROUP | BRANCH | COUNTRY | STATE | PLACE)) === 0;
}
