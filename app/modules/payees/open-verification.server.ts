import type { Statement } from "@db/client";
import { type Actor, systemActor } from "~/kernel/actor";
import type { VerificationMethod } from "~/kernel/enums";
import { recordAudit } from "~/modules/audit/audit.statements.server";
import type { Policy } from "~/modules/organizations/policies/policy";
import { gatherEvidence } from "~/modules/verifications/evidence.queries.server";
import { type Evidence, VOUCHINGS_ACCEPTED } from "~/modules/verifications/verification";
import { endVerification, openVerification } from "~/modules/verifications/verification.statements.server";
import { whitelistPayee } from "~/modules/whitelist/whitelist.statements.server";
import type { Services } from "~/services";
import type { PayeeDetails } from "./payee";

type Opening = {
  payeeId: string;
  details: PayeeDetails;
  /** Why it opens, for the audit trail. */
  cause: "payee_added" | "details_edited" | "requested";
};

type Prepared = Opening & { verificationId: string; evidence: Evidence };

/** A verification about to be opened: its evidence is gathered before the batch. */
export async function prepareVerification(
  services: Pick<Services, "db" | "clock" | "ids" | "secrets">,
  actor: Actor,
  opening: Opening,
): Promise<Prepared> {
  const { organizationId } = actor;
  const { payeeId, details } = opening;
  const evidence = await gatherEvidence(services, { organizationId, payeeId, details });
  return { ...opening, verificationId: services.ids.next(), evidence };
}

/** Opens the prepared verification, pending, with its audit row. */
export function openPrepared(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  prepared: Prepared,
  method: VerificationMethod = "manual",
): Statement[] {
  const { verificationId, payeeId, details, cause, evidence } = prepared;
  const { accountName, bsb, accountNumber } = details;
  const submitted = { id: verificationId, payeeId, accountName, bsb, accountNumber, evidence, method };
  return [
    openVerification(services, actor, submitted),
    recordAudit(services, actor, {
      action: "verification.opened",
      entityType: "verification",
      entityId: verificationId,
      details: { payeeId, cause },
    }),
  ];
}

/**
 * Opens the prepared verification; where the organisation lets the vouching of others stand for one and enough others
 * vouch, it is verified at once and the payee trusted.
 */
export function openOrAccept(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  prepared: Prepared,
  policy: Pick<Policy, "acceptVouching">,
): Statement[] {
  if (!isVouchedFor(policy, prepared.evidence)) return openPrepared(services, actor, prepared);
  return [...openPrepared(services, actor, prepared, "whitelist"), ...acceptVouching(services, actor, prepared)];
}

function isVouchedFor(policy: Pick<Policy, "acceptVouching">, { vouching }: Evidence): boolean {
  return policy.acceptVouching && vouching.exact >= VOUCHINGS_ACCEPTED;
}

/** Ends the verification just opened as verified on the word of other organisations, and trusts the payee. */
function acceptVouching(
  services: Pick<Services, "db" | "clock" | "ids">,
  actor: Actor,
  { verificationId, payeeId, evidence }: Prepared,
): Statement[] {
  const system = systemActor(actor.organizationId, actor.origin.requestId);
  const reason = `${evidence.vouching.exact} other organisations trust this account under the same name`;
  return [
    ...endVerification(services, system, {
      decisionId: services.ids.next(),
      verificationId,
      status: "verified",
      reason,
      reasonCode: "vouched_for",
    }),
    whitelistPayee(services, system, { payeeId, reason }),
    recordAudit(services, system, {
      action: "verification.approved",
      entityType: "verification",
      entityId: verificationId,
      details: { payeeId, reason },
    }),
    recordAudit(services, system, {
      action: "payee.whitelisted",
      entityType: "payee",
      entityId: payeeId,
      details: { reason },
    }),
  ];
}
