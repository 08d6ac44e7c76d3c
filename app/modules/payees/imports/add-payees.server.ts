import type { Statement } from "@db/client";
import type { DetailsOrigin, PayeeDetails } from "~/kernel/payee";
import type { Acting } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-fingerprint.server";
import { insertPayees } from "~/modules/payees/payee.server";
import { gatherEvidenceOfMany } from "~/modules/payees/verifications/evidence.server";
import { openVerifications } from "~/modules/payees/verifications/verification.server";
import type { Services, WriteServices } from "~/services";
import type { JudgedRow } from "./judge-rows.server";

type Taking = WriteServices & Pick<Services, "secrets">;

/** A row of a file, or a supplier of an accounting system with where it came from. */
type Added = JudgedRow & { origin?: DetailsOrigin };

/** New payees with their verifications, and everything known of their accounts. */
export async function addPayees(services: Taking, actor: Acting, added: readonly Added[]): Promise<Statement[]> {
  const subjects = added.map(({ row, payeeId, origin }) => ({ payeeId, details: row.details, origin }));
  const [evidence, digests] = await Promise.all([
    gatherEvidenceOfMany(services, actor.organizationId, subjects),
    Promise.all(subjects.map(({ details }) => fingerprintPayee(services, details))),
  ]);
  const opened = subjects.map(({ payeeId, details: { accountName, bsb, accountNumber } }, at) => {
    const known = evidence[at];
    if (!known) throw new Error("no evidence was gathered");
    return { id: services.ids.next(), payeeId, accountName, bsb, accountNumber, evidence: known };
  });
  const payees = subjects.flatMap(({ payeeId, details, origin }, at) => {
    const keyed = digests[at];
    return keyed ? [{ id: payeeId, details, accountingOrigins: origin && [origin], ...keyed }] : [];
  });
  return [...insertPayees(services, actor, payees), ...openVerifications(services, actor, opened)];
}

/** What `fillPayees` takes of a row that fills empty fields. */
export function toFilled({ judgement, payeeId }: JudgedRow) {
  if (judgement.outcome !== "filled") return [];
  const { id: _, isArchived: __, ...held } = judgement.known;
  const details: PayeeDetails = { ...held, ...judgement.fills };
  return [{ payeeId, fills: judgement.fills, details }];
}
