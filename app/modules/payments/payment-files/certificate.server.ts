import { paymentFileLines, users } from "@db/schema";
import { and, asc, eq, isNotNull } from "drizzle-orm";
import { type Actor, displayName } from "~/kernel/actor";
import { showTime } from "~/kernel/shown-time";
import { findPolicy } from "~/modules/accounts/organizations/policy.server";
import type { Services } from "~/services";
import { getClearing } from "./clearings.server";
import { toClearingView } from "./file-page.view";
import { getPaymentFile } from "./payment-file.server";

/** Approvals that a certificate lists. */
const MAX_APPROVALS = 500;

/** What a certificate says of one clearing; without an id of the newest. @throws AppError 404 */
export async function getClearingCertificate(
  services: Pick<Services, "db" | "clock">,
  actor: Actor,
  asked: { fileId: string; clearingId?: string },
) {
  const { organizationId, organizationName } = actor;
  const [clearing, file, { timeZone }] = await Promise.all([
    getClearing(services, actor, asked),
    getPaymentFile(services, actor, asked.fileId),
    findPolicy(services, organizationId),
  ]);
  const zone = { timeZone, now: services.clock.now() };
  const rows = await services.db
    .select({
      line: paymentFileLines.line,
      amount: paymentFileLines.amount,
      accountName: paymentFileLines.accountName,
      reason: paymentFileLines.decisionReason,
      firstName: users.firstName,
      lastName: users.lastName,
    })
    .from(paymentFileLines)
    .leftJoin(users, eq(users.id, paymentFileLines.decidedById))
    .where(
      and(
        eq(paymentFileLines.organizationId, organizationId),
        eq(paymentFileLines.fileId, asked.fileId),
        eq(paymentFileLines.clearingId, clearing.id),
        isNotNull(paymentFileLines.decidedById),
      ),
    )
    .orderBy(asc(paymentFileLines.line))
    .limit(MAX_APPROVALS);
  return {
    organizationName,
    clearing: toClearingView(clearing, zone),
    original: { sha256: file.sha256, uploadedBy: file.uploadedBy, uploadedAt: showTime(file.createdAt, zone) },
    approvals: rows.map(({ firstName, lastName, ...line }) => ({
      ...line,
      decidedBy: firstName === null ? null : displayName({ firstName, lastName: lastName ?? "" }),
    })),
  };
}
