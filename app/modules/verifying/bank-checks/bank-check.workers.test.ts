import { auditLogs } from "@db/database";
import { and, asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { CheckOutcome, VerificationStatus } from "~/kernel/enums";
import {
  aPayeeAtTheBank,
  type Case,
  readCheckJob,
  readChecks,
  readPayee,
  readVerification,
} from "../../../../tests/support/bank-checks";
import { alertsAbout } from "../../../../tests/support/payees";
import { aWorld, type World } from "../../../../tests/support/simulators";

async function trailOf({ db }: World, { organizationId, verificationId }: Case): Promise<string[]> {
  const rows = await db
    .select({ action: auditLogs.action })
    .from(auditLogs)
    .where(
      and(
        eq(auditLogs.organizationId, organizationId),
        eq(auditLogs.entityType, "verification"),
        eq(auditLogs.entityId, verificationId),
      ),
    )
    .orderBy(asc(auditLogs.position));
  return rows.map((row) => row.action);
}

const ENDINGS: {
  persona: string;
  status: VerificationStatus;
  outcome: CheckOutcome;
  reasonCode: string | null;
  matchType: "exact" | "fuzzy" | "none";
  hasResult: boolean;
}[] = [
  { persona: "match", status: "pending", outcome: "match", reasonCode: null, matchType: "exact", hasResult: true },
  {
    persona: "close",
    status: "pending",
    outcome: "close_match",
    reasonCode: null,
    matchType: "fuzzy",
    hasResult: true,
  },
  { persona: "no_match", status: "pending", outcome: "no_match", reasonCode: null, matchType: "none", hasResult: true },
  {
    persona: "name_withheld",
    status: "pending",
    outcome: "unable",
    reasonCode: "name_withheld",
    matchType: "none",
    hasResult: true,
  },
  {
    persona: "masked",
    status: "pending",
    outcome: "unable",
    reasonCode: "number_masked",
    matchType: "none",
    hasResult: true,
  },
  {
    persona: "closed",
    status: "failed",
    outcome: "account_closed",
    reasonCode: "account_closed",
    matchType: "none",
    hasResult: true,
  },
  {
    persona: "not_shared",
    status: "failed",
    outcome: "account_not_shared",
    reasonCode: "account_not_shared",
    matchType: "none",
    hasResult: false,
  },
  {
    persona: "joint",
    status: "pending",
    outcome: "close_match",
    reasonCode: null,
    matchType: "fuzzy",
    hasResult: true,
  },
  {
    persona: "business",
    status: "pending",
    outcome: "match",
    reasonCode: "compared_with_identity",
    matchType: "exact",
    hasResult: true,
  },
  {
    persona: "refused",
    status: "failed",
    outcome: "consent_refused",
    reasonCode: "consent_refused",
    matchType: "none",
    hasResult: false,
  },
  {
    persona: "outage",
    status: "pending",
    outcome: "unable",
    reasonCode: "provider_unavailable",
    matchType: "none",
    hasResult: false,
  },
];

/** The word that the alert begins with. */
const SAID: Readonly<Record<CheckOutcome, string>> = {
  match: "Matches",
  close_match: "Close match",
  no_match: "Does not match",
  account_closed: "Account closed",
  account_not_shared: "Failed",
  consent_refused: "Failed",
  unable: "Could not check",
};

test.each(ENDINGS)("a payee whose bank says $persona ends as $outcome, $status", async (ending) => {
  const world = aWorld();
  const isPerson = ending.persona === "joint";
  const person = await aPayeeAtTheBank(world, isPerson ? { name: "Ana Ruiz", accountName: "Ana Ruiz" } : {});
  await world.completeAtBank(person.verificationId, ending.persona);
  await world.drain();

  const { outcome, reasonCode, status, matchType, resultData } = await readVerification(world, person);
  expect({ outcome, reasonCode, status, matchType, hasResult: resultData !== null }).toEqual({
    outcome: ending.outcome,
    reasonCode: ending.reasonCode,
    status: ending.status,
    matchType: ending.matchType,
    hasResult: ending.hasResult,
  });
  const [check] = await readChecks(world, person);
  expect(check).toMatchObject({ step: "finished", outcome: ending.outcome, reasonCode: ending.reasonCode });
  expect((await readCheckJob(world, person)).status).toBe("done");
  expect((await readPayee(world, person)).whitelisted).toBe(false);
  const told = await alertsAbout(world, person.organizationId, "result_arrived");
  expect(told.map(({ userId, title }) => [userId, title])).toEqual([
    [person.actor.userId, `${SAID[ending.outcome]}: ${person.details.name}`],
  ]);
  expect(await trailOf(world, person)).toEqual([
    "verification.bank_check_started",
    "verification.link_sent",
    "verification.confirmed_by_payee",
    "verification.payee_sent_to_bank",
    "verification.bank_check_finished",
    ...(ending.status === "failed" ? ["verification.failed"] : []),
    "verification.provider_data_deleted",
  ]);
});
