import { formatDate } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { sayOwnFormer } from "~/modules/payees/verifications/standing";
import type { Evidence, KnownFormerHolder, Lookalike } from "~/modules/payees/verifications/verification";

/** One thing that is known of the account. `payee`: the own payee it is about, named at the end of the title. */
export type EvidenceLine = {
  tone: "neutral" | "pending" | "review" | "verified";
  icon: "alert" | "bank" | "copy" | "history" | "users";
  title: string;
  detail: string | null;
  payee: { name: string; href: string } | null;
};

type Vouching = Evidence["vouching"];

/** What was known of the account when the verification opened, in sentences. Evidence, never a decision. */
export function toEvidenceLines(evidence: Evidence, timeZone: string): EvidenceLine[] {
  const own = sayOwnFormer(evidence, timeZone);
  return [
    ...(evidence.formerHolders ?? []).map((holder) => formerHolderLine(holder, timeZone)),
    ...institutionLines(evidence),
    ...vouchingLines(evidence.vouching),
    ...leftOutLines(evidence.vouching),
    ...evidence.lookalikes.map(lookalikeLine),
    ...(own === null ? [] : [line("neutral", "history", own)]),
  ];
}

function formerHolderLine({ payeeId, name, until, isArchived }: KnownFormerHolder, timeZone: string): EvidenceLine {
  const on = formatDate(Date.parse(until), timeZone);
  const detail = isArchived ? `It was archived on ${on} and has the account still.` : `Its account until ${on}.`;
  return { ...line("review", "copy", "Former account of", detail), payee: { name, href: appPaths.payee(payeeId) } };
}

function institutionLines({ institution, unusualAccountLength }: Evidence): EvidenceLine[] {
  const lines: EvidenceLine[] = [];
  if (!institution) lines.push(line("review", "alert", "No institution is known for this BSB"));
  else {
    const title = [institution.name, institution.branch].filter(Boolean).join(", ");
    lines.push(
      institution.problem
        ? line("review", "alert", title, institution.problem)
        : line("neutral", "bank", title, "The institution this BSB belongs to."),
    );
  }
  if (unusualAccountLength) {
    const detail = "Account numbers at this institution are usually longer or shorter.";
    lines.push(line("pending", "alert", "Unusual account number length", detail));
  }
  return lines;
}

function vouchingLines({ exact, close, different }: Vouching): EvidenceLine[] {
  if (exact + close + different === 0)
    return [line("neutral", "users", "No other organisation has vouched for this account yet")];
  const vouched = (tone: EvidenceLine["tone"], count: number, name: string) =>
    count === 0 ? [] : [line(tone, "users", `${organisations(count)} this account under ${name} name`)];
  return [
    ...vouched("verified", exact, "the same"),
    ...vouched("pending", close, "a similar"),
    ...vouched("review", different, "a different"),
  ];
}

function leftOutLines({ leftOut = 0 }: Vouching): EvidenceLine[] {
  if (leftOut === 0) return [];
  const [who, are] = leftOut === 1 ? ["Another organisation trusts", "is"] : ["Other organisations trust", "are"];
  const detail = `${who} this account but ${are} too new, unpaid or too closely related to be counted.`;
  return [line("neutral", "users", `Not counted: ${leftOut}`, detail)];
}

function lookalikeLine({ payeeId, name, reason, detail }: Lookalike): EvidenceLine {
  if (reason === "former_email_domain") return line("review", "alert", "Email domain like the former one", detail);
  return { ...line("pending", "copy", "Looks like", detail), payee: { name, href: appPaths.payee(payeeId) } };
}

const organisations = (count: number) => (count === 1 ? "1 organisation trusts" : `${count} organisations trust`);

const line = (
  tone: EvidenceLine["tone"],
  icon: EvidenceLine["icon"],
  title: string,
  detail: string | null = null,
): EvidenceLine => ({ tone, icon, title, detail, payee: null });
