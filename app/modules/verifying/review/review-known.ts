import { formatBsb, sameAccountNumber } from "~/kernel/bank-account";
import { formatDate, showTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import { formatPhone } from "~/kernel/phone";
import { ownFormerSentence } from "~/modules/payees/verifications/standing";
import type { Evidence, KnownFormerHolder, Lookalike } from "~/modules/payees/verifications/verification";
import {
  CALL_OUTCOME_LABELS,
  type CallBack,
  type KnownPhone,
  NO_PROOF,
  SOURCE_LABELS,
  whyNoProof,
} from "~/modules/verifying/call-backs/call-back";

/** Compares submitted details with verified ones, as text. Pure. */

export type SubmittedDetails = {
  accountName: string;
  /** Six digits. */
  bsb: string;
  /** Digits, in full. */
  accountNumber: string;
  /** Name of the institution that the BSB belongs to; null where the directory does not know it. */
  institution: string | null;
};

export type VerifiedDetails = {
  accountName?: string | null;
  bsb?: string | null;
  accountNumber?: string | null;
  /** The visible digits, if the bank masks the number. */
  visibleDigits?: string | null;
  institution?: string | null;
  /** The institution that answered is not the one that the BSB belongs to; absent when either is unknown. */
  institutionDiffers?: boolean;
  /** Names of the other holders of a joint account. */
  otherHolders?: readonly string[];
};

/** One row. `verdict` is null when there is nothing to compare; a null value is unknown. */
export type ComparedRow = ReturnType<typeof compareDetails>[number];

const judge = (same: boolean) => ({ same, word: same ? "Same" : "Different" });

/** Every row apart from the name, which its score judges. */
export function compareDetails(submitted: SubmittedDetails, verified: VerifiedDetails | null) {
  const bsb = verified?.bsb ?? null;
  return [
    {
      label: "BSB",
      submitted: formatBsb(submitted.bsb),
      verified: bsb && formatBsb(bsb),
      verdict: bsb ? judge(bsb === submitted.bsb) : null,
    },
    { label: "Account number", submitted: submitted.accountNumber, ...compareNumbers(submitted, verified) },
    {
      label: "Institution",
      submitted: submitted.institution,
      verified: verified?.institution ?? null,
      verdict: verified?.institutionDiffers === undefined ? null : judge(!verified.institutionDiffers),
    },
  ];
}

function compareNumbers({ accountNumber }: SubmittedDetails, verified: VerifiedDetails | null) {
  const { accountNumber: held, visibleDigits } = verified ?? {};
  if (held) return { verified: held, verdict: judge(sameAccountNumber(accountNumber, held)) };
  if (!visibleDigits) return { verified: null, verdict: null };
  const same = accountNumber.endsWith(visibleDigits);
  return { verified: `•••••${visibleDigits}`, verdict: { same, word: same ? "Ends the same" : "Ends differently" } };
}

/** One fact about the account. `payee`: the organisation's payee that it concerns, named at the end of the title. */
export type EvidenceLine = {
  tone: "neutral" | "pending" | "review" | "verified";
  icon: "alert" | "bank" | "copy" | "history" | "users";
  title: string;
  detail: string | null;
  payee: { name: string; href: string } | null;
};

type Vouching = Evidence["vouching"];

/** What was known about the account when the verification opened, in sentences. Evidence, never a decision. */
export function toEvidenceLines(evidence: Evidence, timeZone: string): EvidenceLine[] {
  const own = ownFormerSentence(evidence, timeZone);
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
  const detail = isArchived ? `It was archived on ${on} and still has the account.` : `Its account until ${on}.`;
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

/** The calls about a verification, as its page shows them. Pure. */

type Reading = {
  timeZone: string;
  now: number;
  /** The result of `changeToConfirm`. */
  changedAt: number | null;
  /** The reader entered the bank details, so their own calls are not proof. */
  hasEntered: boolean;
};

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

function toneOf({ outcome, noProof }: Pick<CallBack, "outcome" | "noProof">): "verified" | "review" | "neutral" {
  if (outcome === "confirmed" && noProof === null) return "verified";
  return outcome === "not_confirmed" ? "review" : "neutral";
}

/** A call to a listed number by a person who did not enter the details. */
const ON_FILE = { source: "on_file", isOwnWork: false } as const;

export function toCallBackView(calls: readonly CallBack[], phones: readonly KnownPhone[], zone: Reading) {
  return {
    calls: calls.map(({ id, number, spokeTo, outcome, source, note, noProof, userName, createdAt }) => ({
      id,
      number: formatPhone(number),
      outcome: { text: CALL_OUTCOME_LABELS[outcome], tone: toneOf({ outcome, noProof }) },
      /** Who was spoken to, the number's source, and who called; the time follows. */
      said: `${spokeTo ? `Spoke to ${spokeTo}. ` : ""}${SOURCE_LABELS[source]}. Called by ${userName ?? "PayeeProof"}, `,
      note,
      /** Why it is not proof, as a sentence; null: it counts if the details were confirmed. */
      noProof: noProof && `Does not count as proof: ${NO_PROOF[noProof]}`,
      at: showTime(createdAt, zone),
    })),
    phones: phones.map((phone) => {
      const why = whyNoProof({ ...ON_FILE, number: phone.number, changedAt: zone.changedAt }, [phone], zone.now);
      const when = showTime(phone.setAt, zone).exact;
      return {
        number: formatPhone(phone.number),
        said: `${phone.isCurrent ? "now" : "earlier"}, set by ${phone.setBy ?? "PayeeProof"} on ${when}`,
        warning: why ? NO_PROOF[why] : null,
      };
    }),
    /** Shown instead of the numbers when there are none. */
    noPhones: phones.length === 0 ? "No phone number has ever been on file for this payee." : null,
    description: "A call to a number that you knew before these details came is the best proof against fraud.",
    /** Why a call by this reader would not be proof, as a sentence; null: it can be. */
    ownWork: zone.hasEntered
      ? "You entered these bank details, or connected the system they came from. A call that you record is kept as evidence and does not count as proof: another person has to call."
      : null,
    sources: options(SOURCE_LABELS),
    outcomes: options(CALL_OUTCOME_LABELS),
  };
}
