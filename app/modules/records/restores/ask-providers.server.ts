import { organizationIntegrations, organizations, restores } from "@db/database";
import { and, eq, isNull, sql } from "drizzle-orm";
import { renewRestored } from "~/modules/connections/tokens.server";
import { runStatement } from "~/modules/core/commands/run-command.server";
import { findHeldRestore, type Restore } from "~/modules/core/restores/lost-time.server";
import { listProviderUsersOfChecks } from "~/modules/verifying/bank-checks/bank-check.server";
import { AccessLost } from "~/ports/accounting";
import type { ReadServices, Services } from "~/services-and-actor";

/* Asks outside parties about the period that a restore erased. A silent party is "unknown", never "nothing". */

type Asking = Pick<Services, "db" | "clock" | "log" | "bankData" | "cards">;

/** @returns null if the party did not answer */
async function asked<T>({ log }: Asking, party: string, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    log.warn("restore.not_answered", { party, error: String(error) });
    return null;
  }
}

/** How long the bank-data provider keeps events, and so knows of users. */
export const BANK_DATA_DAYS = 7;

/** What the card provider and the bank-data provider created in the lost period that this database does not know. */
export async function askProviders(services: Asking, { lostFrom }: Restore) {
  const [cards, bankUsers] = await Promise.all([
    asked(services, "cards", () => countLostBilling(services, lostFrom)),
    asked(services, "bank data", () => countLostBankUsers(services, lostFrom)),
  ]);
  return { cards, bankUsers };
}

async function countLostBankUsers(services: Asking, since: number): Promise<number> {
  const created = await services.bankData.listCreatedUsers(since);
  const ids = created.map(({ providerUserId }) => providerUserId);
  const known = await listProviderUsersOfChecks(services, ids);
  return ids.filter((each) => !known.has(each)).length;
}

async function countLostBilling({ db, cards }: Asking, since: number) {
  const { customerIds, subscriptions } = await cards.listCreated(since);
  const ids = [...new Set([...customerIds, ...subscriptions.map(({ customerId }) => customerId)])];
  const rows = await db
    .select({ customerId: organizations.stripeCustomerId, subscriptionId: organizations.stripeSubscriptionId })
    .from(organizations)
    .where(sql`${organizations.stripeCustomerId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
  const subscriptionOf = new Map(rows.map(({ customerId, subscriptionId }) => [customerId, subscriptionId]));
  return {
    customers: customerIds.filter((id) => !subscriptionOf.has(id)).length,
    subscriptions: subscriptions.filter(({ id, customerId }) => subscriptionOf.get(customerId) !== id).length,
  };
}

type Renewing = Parameters<typeof renewRestored>[0] & Pick<Services, "log">;

/** How many connections one run asks: the systems limit the rate of calls. */
const CONNECTIONS_A_RUN = 20;

const connected = ({ db }: ReadServices) =>
  db
    .select({ connection: organizationIntegrations, organization: organizations.name })
    .from(organizationIntegrations)
    .innerJoin(organizations, eq(organizations.id, organizationIntegrations.organizationId))
    .where(sql`${organizationIntegrations.status} = 'connected'`);

/**
 * While the app is on hold: renews the tokens of connections to accounting systems, which shows whether those in this
 * database are still valid. The next run asks again those that did not answer.
 * @returns how many answered
 */
export async function askConnections(services: Renewing): Promise<number> {
  const held = await findHeldRestore(services);
  if (!held) return 0;
  const answers = held.answers ?? {};
  const isOpen = (id: string) => answers[id] === undefined || answers[id] === "silent";
  const open = (await connected(services)).filter(({ connection }) => isOpen(connection.id));
  // Those that were never asked come first.
  open.sort((a, b) => Number(a.connection.id in answers) - Number(b.connection.id in answers));
  if (open.length === 0) return 0;
  const news: typeof answers = {};
  for (const { connection } of open.slice(0, CONNECTIONS_A_RUN)) {
    news[connection.id] = await renewRestored(services, connection).then(
      () => "good" as const,
      (error) => {
        if (error instanceof AccessLost) return "ended" as const;
        services.log.warn("restore.not_answered", { party: connection.system, error: String(error) });
        return "silent" as const;
      },
    );
  }
  const isHeld = and(eq(restores.id, held.id), isNull(restores.releasedAt));
  // Merges with answers that another run has stored meanwhile.
  const both = sql`json_patch(coalesce(${restores.answers}, '{}'), ${JSON.stringify(news)})`;
  await runStatement(services, services.db.update(restores).set({ answers: both }).where(isHeld));
  return Object.values(news).filter((answer) => answer !== "silent").length;
}

export async function readConnections(services: ReadServices, { answers }: Restore) {
  const rows = await connected(services);
  const those = (isOne: (answer: string | undefined) => boolean) =>
    rows.filter(({ connection }) => isOne(answers?.[connection.id]));
  return {
    good: those((answer) => answer === "good").length,
    ended: those((answer) => answer === "ended").map(({ connection: { id, system }, organization }) => ({
      id,
      system,
      organization,
    })),
    silent: those((answer) => answer === "silent").length,
    unasked: those((answer) => answer === undefined).length,
  };
}
