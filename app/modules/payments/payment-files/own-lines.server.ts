import type { Actor } from "~/kernel/actor";
import { describeApprovers, whoMayApprove } from "~/modules/payments/approvers";
import { listColleagues } from "~/modules/payments/approvers.server";
import type { PaymentLimits } from "~/modules/payments/payment-facts/payment-limits";
import type { ReadServices } from "~/services";
import { listPayeesOfOwnWork } from "./own-work.server";

type Asked = {
  uploadedById: string | null;
  /** The lines that are shown. */
  lines: readonly { payeeId: string | null }[];
  limits: PaymentLimits;
};

/** What of a file this person may not approve, where the organisation requires a second person. */
export type OwnWork = {
  /** Why the person may approve nothing of the file, and who may; null: they did not upload it. */
  bar: string | null;
  /** Payees of shown lines whose bank details the person entered or had verified. */
  payees: ReadonlySet<string>;
};

export async function findOwnWork(
  services: ReadServices,
  actor: Actor,
  { uploadedById, lines, limits }: Asked,
): Promise<OwnWork> {
  const payeeIds = [...new Set(lines.flatMap(({ payeeId }) => payeeId ?? []))];
  const payees = await listPayeesOfOwnWork(services, actor, payeeIds);
  if (uploadedById !== actor.userId) return { bar: null, payees };
  const approval = { enteredBy: new Set<string>(), requestedById: null, recordedBy: [uploadedById] };
  const approvers = whoMayApprove(await listColleagues(services, actor), { approval, limits, amount: 0 });
  const bar = `Your organisation requires a second person. You uploaded this file, so another person has to approve what is held. ${describeApprovers(approvers)}`;
  return { bar, payees };
}
