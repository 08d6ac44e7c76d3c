import { keySetPage } from "@db/key-set-page";
import { payeeRequests, users, verifications } from "@db/schema";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { AppError, notFound } from "~/kernel/app-error";
import { getOrganizationName } from "~/modules/accounts/organizations/organization.queries.server";
import { findRunningCheck } from "~/modules/payees/verifications/running-check.queries.server";
import type { ReadServices, Services } from "~/services";
import { requestState } from "./payee-request";

export const REQUESTS_PAGE_SIZE = 50;

export type PayeeRequestRow = typeof payeeRequests.$inferSelect;

type Asking = { organizationId: string };

/** Longer than any token of ours. */
const MAX_TOKEN_LENGTH = 100;

const asker = { firstName: users.firstName, lastName: users.lastName };

/** @throws AppError 404, the same for missing and foreign ids */
export async function getRequest({ db }: ReadServices, actor: Asking, id: string): Promise<PayeeRequestRow> {
  const [row] = await db
    .select()
    .from(payeeRequests)
    .where(and(eq(payeeRequests.organizationId, actor.organizationId), eq(payeeRequests.id, id)));
  if (!row) throw notFound();
  return row;
}

const OPEN: SQL = sql`${payeeRequests.status} = 'open'`;

export type RequestsQuery = { status?: "open" | "all"; after?: string; before?: string };

/** One page of an organisation's requests, newest first: those without an answer, or all. */
export async function listRequests({ db }: ReadServices, actor: Asking, query: RequestsQuery = {}) {
  const page = keySetPage(query, { size: REQUESTS_PAGE_SIZE });
  const rows = await db
    .select({ request: payeeRequests, asker })
    .from(payeeRequests)
    .innerJoin(users, eq(users.id, payeeRequests.requestedById))
    .where(
      and(
        eq(payeeRequests.organizationId, actor.organizationId),
        query.status === "all" ? undefined : OPEN,
        page.beyond(payeeRequests.id),
      ),
    )
    .orderBy(page.order(payeeRequests.id))
    .limit(page.limit);
  return page.cut(rows, ({ request }) => request.id);
}

const unknownLink = () =>
  new AppError(
    "NOT_FOUND",
    404,
    "This is not a link of ours, or a newer one has taken its place. Please open the newest message.",
  );

/**
 * The request that a link's token stands for, and who asks.
 * @throws AppError 404, the same for an unknown token, a replaced one and an organisation that may not act
 */
export async function getRequestByToken(services: Pick<Services, "db" | "secrets">, token: string) {
  const tokenHash = await services.secrets.hashToken(token.length <= MAX_TOKEN_LENGTH ? token : "");
  const [row] = await services.db
    .select({ request: payeeRequests, asker })
    .from(payeeRequests)
    .innerJoin(users, eq(users.id, payeeRequests.requestedById))
    .where(eq(payeeRequests.tokenHash, tokenHash));
  if (!row) throw unknownLink();
  const { name } = await getOrganizationName(services, row.request.organizationId).catch(() => {
    throw unknownLink();
  });
  return { ...row.request, asker: row.asker, organizationName: name };
}

export type FoundRequest = Awaited<ReturnType<typeof getRequestByToken>>;

/** Whether the payee who has answered can still go on to its bank: nothing was compared or decided. */
export async function leadsToBank(
  services: Pick<Services, "db" | "clock">,
  request: Pick<PayeeRequestRow, "organizationId" | "status" | "expiresAt" | "verificationId">,
): Promise<boolean> {
  const { organizationId, verificationId } = request;
  if (verificationId === null || requestState(request, services.clock.now()) !== "answered") return false;
  const [row] = await services.db
    .select({ status: verifications.status, outcome: verifications.outcome })
    .from(verifications)
    .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId)));
  if (row?.status !== "pending" || row.outcome !== null) return false;
  const running = await findRunningCheck(services, organizationId, verificationId);
  return running === undefined || running.providerUserId !== null;
}
