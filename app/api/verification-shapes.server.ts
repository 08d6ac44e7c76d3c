import * as z from "zod";
import { maskAccountNumber } from "~/kernel/bank-account";
import type { Zone } from "~/kernel/dates";
import {
  CALL_OUTCOMES,
  CALL_SOURCES,
  CHECK_OUTCOMES,
  MATCH_TYPES,
  NO_PROOF_REASONS,
  VERIFICATION_METHODS,
  VERIFICATION_STATUSES,
} from "~/kernel/enums";
import { displayName } from "~/kernel/text";
import type { MatchBadge } from "~/modules/name-match";
import { gradeFactsOf, gradeOf } from "~/modules/payees/verifications/outcomes";
import { findReviewFlags, flagFactsOf, REVIEW_FLAGS } from "~/modules/payees/verifications/review-flags";
import { showVerdict, wordsOfVerification } from "~/modules/payees/verifications/standing";
import { VERDICT_NAMES } from "~/modules/payees/verifications/verdict";
import { RESULT_SOURCES } from "~/modules/payees/verifications/verification";
import type { VerificationDetail, VerificationSummary } from "~/modules/payees/verifications/verification.server";
import { type CallBack, NO_PROOF } from "~/modules/verifying/call-backs/call-back";
import type { PendingVerification } from "~/modules/verifying/review/pending.server";
import {
  accountName,
  accountNumber,
  bsb,
  count,
  EXAMPLE,
  facts,
  flag,
  grade,
  id,
  instant,
  maskedAccountNumber,
  NAMES,
  named,
  person,
  text,
  writtenInstant,
} from "./endpoint.server";

export const nameDifference = z
  .object({
    type: z.enum([
      "formatting",
      "spacing",
      "diacritic",
      "and_symbol",
      "title",
      "abbreviation",
      "legal_form",
      "entity_kind",
      "trading_as",
      "trustee",
      "initial",
      "nickname",
      "order",
      "typo",
      "plural",
      "extra_token",
      "missing_token",
      "different_token",
      "place",
      "number",
      "reference",
      "truncation",
      "homoglyph",
      "script",
      "joint_holder",
      "acronym",
      "blank",
    ]),
    submitted: text("Electrical"),
    held: text("Electricl"),
    points: count(8, "How many of the 100 points the difference costs."),
  })
  .register(NAMES, { id: "NameDifference" });

export const matchBadge = z.enum([
  "Exact",
  "Very Strong",
  "Strong",
  "Moderate",
  "Weak",
  "Poor",
] as const satisfies readonly MatchBadge[]);

const score = z
  .int()
  .min(0)
  .max(100)
  .meta({ examples: [92] });

const verificationPayee = z.object({
  id: id(EXAMPLE.payee),
  name: text("Wattle Creek Electrical"),
  accountName,
  bsb,
  accountNumber,
  whitelistGlobal: flag(false),
  institution: text("Commonwealth Bank of Australia").nullable(),
});

export const verification = z
  .object({
    id: id(EXAMPLE.verification),
    status: z.enum(VERIFICATION_STATUSES),
    grade,
    matchType: z
      .enum(MATCH_TYPES)
      .meta({ description: "exact: 95 to 100 points. fuzzy: 70 to 94. none: below, or nothing to compare yet." }),
    nameMatchScore: score.nullable(),
    nameDifferences: z.array(nameDifference),
    verifiedAccountName: text(
      "Wattle Creek Electricl Pty Ltd",
      "The name that the source of the check gave.",
    ).nullable(),
    verificationMethod: z.enum(VERIFICATION_METHODS),
    requestedByUser: person.nullable().meta({ description: "Null: PayeeProof opened it." }),
    createdAt: instant,
    completedAt: instant.nullable(),
    payee: verificationPayee,
    outcome: z.enum(CHECK_OUTCOMES).nullable().meta({
      description: "What the last check found. Null: no check has ended yet. `unable` says nothing about the payee.",
    }),
    source: z.enum(RESULT_SOURCES).nullable().meta({
      description:
        "Who gave the result. `basiq`: the payee's bank, with the payee's consent. `cop`: the payee's bank, at once by Confirmation of Payee. Otherwise a whitelist or a person. Null: no result.",
    }),
    reasonCode: text("provider_unavailable").nullable(),
    rejectedReason: text("Manual rejection").nullable(),
    verifiedByPayee: flag(true, "The payee said that these are their details."),
    disputedByPayeeAt: instant.nullable(),
  })
  .register(NAMES, { id: "Verification" });

export const evidence = z
  .object({
    institution: z
      .object({
        mnemonic: text("CBA"),
        name: text("Commonwealth Bank of Australia"),
        branch: text("Sydney").optional(),
        problem: text("This BSB is closed").optional(),
      })
      .nullable(),
    unusualAccountLength: flag(false),
    vouching: z.object({ exact: count(2), close: count(0), different: count(0), leftOut: count(0).optional() }).meta({
      description: "Other organisations that trust the account, counted by how well their name for it matches.",
    }),
    lookalikes: z.array(
      z.object({
        payeeId: id(EXAMPLE.whitelistedPayee),
        name: text("Wattle Creek Electric"),
        reason: z.enum(["same_name", "similar_name", "account_number_slip", "email_domain", "former_email_domain"]),
        detail: text("The name is nearly that of Wattle Creek Electric."),
      }),
    ),
    formerHolders: z
      .array(
        z.object({
          payeeId: id(EXAMPLE.whitelistedPayee),
          name: text("Cassowary Cleaning"),
          until: writtenInstant,
          isArchived: flag(false, "It is archived and still has the account; `until` is when it was archived."),
        }),
      )
      .optional()
      .meta({ description: "Other payees of yours that had this account before, latest first. Absent: none." }),
    ownUntil: writtenInstant.optional().meta({
      description: "When this payee last gave up this account, which it has again now. Absent: it never gave it up.",
    }),
  })
  .register(NAMES, { id: "Evidence" });

/** A verification in the specification's form (section 3), with the outcome of its check. */
export const shownVerification = (row: VerificationSummary) => ({
  ...row,
  grade: gradeOf(gradeFactsOf(row)),
  nameDifferences: row.nameDifferences ?? [],
  verifiedAccountName: row.verifiedName,
  verificationMethod: row.method,
  requestedByUser: named(row.requestedBy),
  payee: {
    ...row.payee,
    accountName: row.accountName,
    bsb: row.bsb,
    accountNumber: row.accountNumber,
    institution: row.resultData?.institution ?? null,
  },
  source: row.resultData?.source ?? null,
});

export const callBack = z
  .object({
    id: id(EXAMPLE.entry),
    number: text("+61293744000"),
    source: z.enum(CALL_SOURCES),
    spokeTo: text("Jo Lindqvist, accounts").nullable(),
    outcome: z.enum(CALL_OUTCOMES),
    note: text("Read the account number back").nullable(),
    countsAsProof: flag(true),
    noProof: z
      .object({ code: z.enum(NO_PROOF_REASONS), message: text("The number was changed less than 30 days ago.") })
      .nullable(),
    calledBy: text("Mira Okafor").nullable(),
    createdAt: instant,
  })
  .register(NAMES, { id: "CallBack" });

export const assignee = z
  .object({ id: id(EXAMPLE.person), name: text("Mira Okafor") })
  .nullable()
  .meta({ description: "Who should decide it. Null: nobody in particular." });

export const bulkResult = z.object({
  id: id(EXAMPLE.verification),
  payeeName: text("Wattle Creek Electrical"),
  done: flag(true),
  code: text("ALREADY_DECIDED", "Why it was refused. Null: it was done.").nullable(),
  message: text("Assigned"),
});

const verdict = z.object({
  name: z.enum(VERDICT_NAMES),
  word: text("Another payee's former account"),
  tone: z.enum(["verified", "pending", "review", "neutral"]).meta({
    description: "Green, amber, red or none. Red: something counts against paying, and an approval needs a reason.",
  }),
  because: z.array(text("This account was Cassowary Cleaning's until 23 Nov 2026.")),
  next: text("Compare it with that payee, and ask why the account is the same, using a contact you already had."),
});
const flags = z.array(z.enum(REVIEW_FLAGS));
const openFlags = flags.meta({
  description: "What counts against approving it, the most serious first. Empty once it is decided.",
});

export const listedVerification = z
  .object({
    ...verification.shape,
    payee: z.object({ ...verificationPayee.shape, accountNumber: maskedAccountNumber }),
    verdict: verdict
      .pick({ name: true, word: true, tone: true })
      .meta({ description: "Its state, in the words of its page." }),
    flags: openFlags,
  })
  .register(NAMES, { id: "ListedVerification" });

/** The verdict on a payee's pending verification. */
export const openVerdict = {
  verdict: verdict.nullable().meta({
    description:
      "The state of the verification that is waiting for a decision, in the words of its page. Null: none is waiting.",
  }),
  flags: flags.meta({
    description: "What counts against approving it, the most serious first. Empty if none is waiting.",
  }),
};

/** The state of a verification in its page's words, and the reasons against approving it. */
export function shownVerdict(row: VerificationDetail, { timeZone, now }: Zone) {
  const found = findReviewFlags(flagFactsOf(row));
  const { verdict } = wordsOfVerification(row, found, { timeZone, now });
  return { verdict: { ...verdict, because: verdict.evidence }, flags: row.status === "pending" ? found : [] };
}

export const verificationDetail = z.object({
  ...verification.shape,
  verdict: verdict.meta({ description: "Its state and what to do next, in the words of its page." }),
  flags: openFlags,
  differencesExplained: z.array(text("One letter differs: Electrical, Electricl.")),
  assignedTo: assignee,
  evidence: evidence.nullable(),
  timeline: z.array(
    z.object({
      id: id(EXAMPLE.entry),
      action: text("verification.opened"),
      userName: text("Mira Okafor").nullable(),
      details: facts.nullable(),
      createdAt: instant,
    }),
  ),
});

/** The account number is masked, as on the pages. */
export function listed(row: Omit<PendingVerification, "heldCents" | "assignedToId" | "assignedTo">, now: number) {
  const shown = shownVerification(row);
  return {
    ...shown,
    payee: { ...shown.payee, accountNumber: maskAccountNumber(row.accountNumber) },
    verdict: showVerdict({ ...row, isCheckRunning: row.checkStep !== null }, now),
    flags: row.status === "pending" ? findReviewFlags(row) : [],
  };
}

export const shownCall = (call: CallBack) => ({
  ...call,
  countsAsProof: call.outcome === "confirmed" && call.noProof === null,
  noProof: call.noProof && { code: call.noProof, message: NO_PROOF[call.noProof] },
  calledBy: call.userName,
});

type Assigned = Pick<VerificationDetail, "assignedToId" | "assignedTo">;

export const assignedTo = ({ assignedToId: id, assignedTo: person }: Assigned) =>
  id !== null && person ? { id, name: displayName(person) } : null;
