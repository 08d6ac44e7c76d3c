import { formatBsb } from "~/kernel/bsb";
import { DAY_MS } from "~/kernel/dates";
import { HEALTH_KINDS, type HealthKind } from "~/kernel/enums";
import type { BankDetails } from "~/kernel/payee";
import type { DirectoryEntry } from "~/modules/directories/directory";
import { CONCERN_SENTENCES, findConcerns, type RegisterAnswer } from "~/modules/directories/register";
import type { Lookalike } from "~/modules/payees/verifications/verification";

/** What is wrong with a payee of the master list, or should be looked at. Pure. */

export type Finding = { kind: HealthKind; detail: string };

/** Everything that is looked at. Instants in epoch milliseconds. */
export type HealthFacts = {
  payee: BankDetails & {
    name: string;
    email: string | null;
    phone: string | null;
    abn: string | null;
    whitelisted: boolean;
    whitelistedAt: number | null;
  };
  /** The newest verification that a person approved for the details the payee has now. */
  verifiedAt: number | null;
  /** Null: the directory does not have the BSB; undefined: none is loaded. */
  directory: DirectoryEntry | null | undefined;
  /** Undefined: the register was not asked, or has not answered. */
  register: RegisterAnswer | undefined;
  lookalikes: readonly Lookalike[];
  /** Other payees with the same ABN. */
  sameAbn: readonly string[];
  isStaffAccount: boolean;
  now: number;
  /** A verification older than this is stale. */
  reverifyAfterMonths: number;
};

const DAYS_PER_MONTH = 30.44;

/** All findings of a payee, at most one of each kind. */
export function findFindings(facts: HealthFacts): Finding[] {
  return [...ofTrust(facts), ...ofBsb(facts), ...ofRegister(facts), ...ofOthers(facts)];
}

function ofTrust({ payee, verifiedAt, now, reverifyAfterMonths }: HealthFacts): Finding[] {
  const trustedAt = verifiedAt ?? (payee.whitelisted ? payee.whitelistedAt : null);
  if (trustedAt === null) return [{ kind: "never_verified", detail: "" }];
  const days = Math.floor((now - trustedAt) / DAY_MS);
  if (days <= reverifyAfterMonths * DAYS_PER_MONTH) return [];
  return [{ kind: "stale", detail: `Last verified ${days} days ago.` }];
}

function ofBsb({ payee, directory }: HealthFacts): Finding[] {
  if (directory === undefined) return [];
  if (directory === null)
    return [{ kind: "bsb_unusable", detail: `The directory does not have ${formatBsb(payee.bsb)}.` }];
  const { status, successorBsb, electronic } = directory;
  if (status !== "open") {
    const next = successorBsb ? ` Its accounts are now under ${formatBsb(successorBsb)}.` : "";
    return [{ kind: "bsb_closed", detail: `${formatBsb(payee.bsb)} is ${status}.${next}` }];
  }
  return electronic
    ? []
    : [{ kind: "bsb_unusable", detail: `${formatBsb(payee.bsb)} takes no direct entry payments.` }];
}

function ofRegister({ payee, register, now }: HealthFacts): Finding[] {
  if (payee.abn === null || !register) return [];
  const concerns = findConcerns(payee, register, now);
  const isBad = concerns.includes("not_found") || concerns.includes("cancelled");
  const named = register.entry ? ` The register says “${register.entry.entityName}”.` : "";
  return [
    ...(isBad ? [{ kind: "abn_bad" as const, detail: CONCERN_SENTENCES[concerns[0] ?? "cancelled"] }] : []),
    ...(concerns.includes("other_name")
      ? [{ kind: "register_name" as const, detail: `${CONCERN_SENTENCES.other_name}${named}` }]
      : []),
  ];
}

function ofOthers({ payee, lookalikes, sameAbn, isStaffAccount }: HealthFacts): Finding[] {
  const [lookalike] = lookalikes;
  const findings: (Finding | false | undefined)[] = [
    lookalike && { kind: "lookalike", detail: `${lookalike.name}: ${lookalike.detail}` },
    sameAbn.length > 0 && { kind: "same_abn", detail: `Also: ${sameAbn.slice(0, MAX_NAMED).join(", ")}.` },
    payee.email === null && payee.phone === null && { kind: "no_contact", detail: "" },
    isStaffAccount && { kind: "staff_account", detail: "" },
  ];
  return findings.filter((finding) => !!finding);
}

const MAX_NAMED = 3;

/** What a finding takes off the hundred points of a payee. */
const WEIGHTS: Readonly<Record<HealthKind, number>> = {
  never_verified: 40,
  bsb_closed: 40,
  bsb_unusable: 40,
  abn_bad: 30,
  staff_account: 30,
  lookalike: 20,
  register_name: 20,
  stale: 20,
  same_abn: 10,
  no_contact: 10,
};

/** Points of one payee, 0 to 100. */
export const pointsOf = (findings: readonly Finding[]): number =>
  Math.max(
    0,
    findings.reduce((points, { kind }) => points - WEIGHTS[kind], 100),
  );

/** The score of a master list: the average of its payees' points; null without payees. */
export const scoreOf = ({ pointsSum, payeeCount }: { pointsSum: number; payeeCount: number }): number | null =>
  payeeCount === 0 ? null : Math.floor(pointsSum / payeeCount);

/** The order in which people should work. */
export const KINDS_IN_ORDER: readonly HealthKind[] = [...HEALTH_KINDS].sort((a, b) => WEIGHTS[b] - WEIGHTS[a]);
