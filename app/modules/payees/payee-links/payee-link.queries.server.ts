import { organizations, payeeLinks, payees, verifications } from "@db/schema";
import { and, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { isId } from "~/kernel/ids";
import { findRunningCheck } from "~/modules/payees/verifications/running-check.queries.server";
import type { Services } from "~/services";
import { type PayeeLinkView, payeeLinkMessage, payeeLinkState } from "./payee-link";

/** What a payee's link says: the token, and the ids that must belong to it. */
export type LinkInput = { token: string; vid: string; pid: string };

/** Longer than any token of ours. */
const MAX_TOKEN_LENGTH = 100;

/**
 * The link as the database knows it.
 * @throws AppError 404, the same for an unknown token, one sent to a former contact and ids that do not belong to it
 */
export async function getPayeeLink(services: Pick<Services, "db" | "secrets">, input: LinkInput) {
  const { token, vid, pid } = input;
  const isPlausible = token.length <= MAX_TOKEN_LENGTH && isId(vid) && isId(pid);
  const tokenHash = await services.secrets.hashToken(isPlausible ? token : "");
  const [row] = await services.db
    .select({
      verificationId: verifications.id,
      organizationId: verifications.organizationId,
      organizationName: organizations.name,
      payee: { id: payees.id, name: payees.name },
      status: verifications.status,
      verifiedByPayee: verifications.verifiedByPayee,
      verifiedByPayeeAt: verifications.verifiedByPayeeAt,
      disputedByPayeeAt: verifications.disputedByPayeeAt,
      disputeNote: verifications.disputeNote,
      verificationTokenExpiresAt: verifications.verificationTokenExpiresAt,
      submitted: {
        accountName: verifications.accountName,
        bsb: verifications.bsb,
        accountNumber: verifications.accountNumber,
      },
      current: { accountName: payees.accountName, bsb: payees.bsb, accountNumber: payees.accountNumber },
    })
    .from(payeeLinks)
    .innerJoin(
      verifications,
      and(eq(verifications.organizationId, payeeLinks.organizationId), eq(verifications.id, payeeLinks.verificationId)),
    )
    .innerJoin(
      payees,
      and(eq(payees.organizationId, verifications.organizationId), eq(payees.id, verifications.payeeId)),
    )
    .innerJoin(organizations, eq(organizations.id, verifications.organizationId))
    .where(eq(payeeLinks.tokenHash, tokenHash));
  if (!row || row.verificationId !== vid || row.payee.id !== pid) {
    throw new AppError(
      "NOT_FOUND",
      404,
      "Verification failed: this is not a link of ours, or a newer one was sent to another address. Please open the newest message.",
    );
  }
  return { ...row, tokenHash };
}

export type FoundPayeeLink = Awaited<ReturnType<typeof getPayeeLink>>;

const REFUSALS = {
  confirmed: { code: "ALREADY_VERIFIED", status: 409 },
  disputed: { code: "DISPUTED", status: 409 },
  expired: { code: "LINK_EXPIRED", status: 410 },
} as const;

/**
 * The same for those who need an answer that can still be given.
 * @throws AppError 404; 409 ALREADY_VERIFIED, DISPUTED; 410 LINK_EXPIRED, in the order of `payeeLinkState`
 */
export async function getOpenPayeeLink(
  services: Pick<Services, "db" | "secrets" | "clock">,
  input: LinkInput,
): Promise<FoundPayeeLink> {
  const link = await getPayeeLink(services, input);
  const state = payeeLinkState(link, services.clock.now());
  if (state === "open") return link;
  const { code, status } = REFUSALS[state];
  throw new AppError(code, status, payeeLinkMessage(state, link.organizationName));
}

/** What the payee's page shows, and with which HTTP status. Looking changes nothing: mail scanners look too. */
export async function showPayeeLink(
  services: Pick<Services, "db" | "secrets" | "clock">,
  input: LinkInput,
): Promise<{ status: number; view: PayeeLinkView }> {
  const link = await getPayeeLink(services, input);
  const state = payeeLinkState(link, services.clock.now());
  const { organizationName, payee, submitted } = link;
  const check = await findRunningCheck(services, link.organizationId, link.verificationId);
  const leadsToBank = link.status === "pending" && check !== undefined && check.providerUserId !== null;
  if (state === "open") {
    return {
      status: 200,
      view: { state, organizationName, payeeName: payee.name, details: submitted, leadsToBank },
    };
  }
  const message = payeeLinkMessage(state, organizationName);
  const shown = { organizationName, message };
  const views: Record<typeof state, PayeeLinkView> = {
    confirmed: { ...shown, state: "confirmed", leadsToBank },
    disputed: { ...shown, state: "disputed", note: link.disputeNote },
    expired: { ...shown, state: "expired" },
  };
  return { status: REFUSALS[state].status, view: views[state] };
}
