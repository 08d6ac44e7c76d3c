import {
  organizationDomains,
  organizationPolicies,
  organizationUsers,
  paymentFileSettings,
  policyChanges,
  rowIn,
  type Statement,
  users,
} from "@db/database";
import { and, asc, eq, gt, lte, type SQLWrapper, sql } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { formatDateTime, HOUR_MS } from "~/kernel/dates";
import { displayName, formatCount } from "~/kernel/text";
import { type Approvable, requireSigned, type SignedFields } from "~/modules/accounts/identity/signed-approval.server";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import {
  type Changes,
  DOMAIN_FIELD,
  isLimit,
  policyChangesWords,
  policyChangeWords,
  weakensPolicy,
} from "~/modules/rules/policy-changes";
import { DEFAULT_POLICY } from "~/modules/rules/policy-fields";
import { type Actor, type Services, systemActor, type TimedServices, type WriteServices } from "~/services-and-actor";
import type { Policy } from "./policy";

/**
 * Changes that weaken an organisation's policies take effect after a delay that the organisation sets. Until then any
 * administrator can cancel them, and a second one can put them into effect. They apply from the instant they are due,
 * even if the cron run has not written them yet: code that reads a policy uses `dueChanges`.
 */

type Row = typeof policyChanges.$inferSelect;

/** SQL column: every due or waiting change of an organisation, for `readChanges`. */
export const allChanges = (organizationId: SQLWrapper) =>
  sql<string>`(SELECT json_group_array(json_object('field', "policy_changes"."field", 'from', json("policy_changes"."oldValue"),
    'to', json("policy_changes"."newValue"), 'dueAt', "policy_changes"."dueAt")) FROM "policy_changes"
    WHERE "policy_changes"."organizationId" = ${organizationId})`;

/** The due changes, as from `dueChanges`, and every page's sentence about waiting ones; undefined: none wait. */
export function readChanges(all: string, now: number, timeZone: string): { due: string; waiting: string | undefined } {
  if (all === "[]") return { due: "{}", waiting: undefined };
  const changes = JSON.parse(all) as { field: string; from: unknown; to: unknown; dueAt: number }[];
  const due = changes.filter(({ dueAt }) => dueAt <= now).map(({ field, to }) => [field, to]);
  const waiting = changes.filter(({ dueAt }) => dueAt > now).sort((a, b) => a.dueAt - b.dueAt);
  const [first] = waiting;
  const words = policyChangesWords(Object.fromEntries(waiting.map(({ field, ...change }) => [field, change])));
  return {
    due: JSON.stringify(Object.fromEntries(due)),
    waiting:
      first &&
      `${waiting.length === 1 ? "A weaker policy is waiting" : `${waiting.length} weaker policies are waiting`}: ${words}. ${waiting.length === 1 ? "It takes" : "The first takes"} effect on ${formatDateTime(first.dueAt, timeZone)} unless an administrator cancels it under Settings, Policies.`,
  };
}

/** Splits changes into those that take effect at once and those that are delayed. */
export function splitChanges(changes: Changes): { atOnce: Changes; weaker: Changes } {
  const entries = Object.entries(changes);
  return {
    atOnce: Object.fromEntries(entries.filter(([field, change]) => !weakensPolicy(field, change))),
    weaker: Object.fromEntries(entries.filter(([field, change]) => weakensPolicy(field, change))),
  };
}

/**
 * For the batch of a command that changes policies: weakening changes are delayed, and an immediate change replaces a
 * waiting one for the same field. Requesting a waiting change again does not alter its time.
 * @param changes.delayHours the organisation's delay up to now
 */
export async function prepareWeaker(
  services: WriteServices,
  { organizationId, userId }: Pick<Actor, "organizationId" | "userId">,
  { atOnce, weaker, delayHours }: { atOnce: Changes; weaker: Changes; delayHours: number },
): Promise<{ part: CommandPart; isNew: boolean; dueAt: number }> {
  const { db, clock, ids } = services;
  const askedAt = clock.now();
  const dueAt = askedAt + delayHours * HOUR_MS;
  const waiting = await db.select().from(policyChanges).where(eq(policyChanges.organizationId, organizationId));
  const asked = Object.entries(weaker).filter(
    ([field, { to }]) => !waiting.some((row) => row.field === field && row.newValue === JSON.stringify(to)),
  );
  const rows = asked.map(([field, { from, to }]) => ({
    field,
    id: ids.next(),
    oldValue: JSON.stringify(from),
    newValue: JSON.stringify(to),
    askedById: userId,
    askedAt,
    dueAt,
  }));
  const replaced = waiting.filter(({ field }) => Object.hasOwn(atOnce, field));
  const about = { entityType: "organization", entityId: organizationId } as const;
  const gone = replaced.filter((row) => row.dueAt > askedAt);
  return {
    isNew: rows.length > 0,
    dueAt,
    part: {
      statements: [
        ...replaced.map((row) => removeChange(services, row)),
        ...rows.map((row) =>
          db
            .insert(policyChanges)
            .values({ organizationId, ...row })
            .onConflictDoUpdate({ target: [policyChanges.organizationId, policyChanges.field], set: row }),
        ),
      ],
      audit: [
        ...gone.map((row) => ({
          action: "organization.policy_weakening_cancelled" as const,
          ...about,
          details: said(row),
        })),
        ...(rows.length > 0
          ? [
              {
                action: "organization.policy_weakening_asked" as const,
                ...about,
                details: { changes: Object.fromEntries(asked), dueAt },
              },
            ]
          : []),
      ],
    },
  };
}

const DECISIONS = {
  change_policies: "Change these policies",
  confirm_policy: "Put this weaker policy into effect now",
  change_limits: "Change these limits",
};

/** What a passkey signs for changes of policies or limits: each change in words. */
export const approvablePolicies = (
  decision: keyof typeof DECISIONS,
  organizationId: string,
  changes: Changes,
): Approvable => ({
  decision,
  entityType: "organization",
  entityId: organizationId,
  shows: [
    { term: "Decision", value: DECISIONS[decision] },
    ...Object.entries(changes).map(([field, change], index) => ({
      term: `Change ${index + 1}`,
      value: policyChangeWords(field, change),
    })),
  ],
});

/** The audit details of a change that waited. */
const said = ({ field, oldValue, newValue, dueAt }: Row) => ({
  changes: { [field]: { from: JSON.parse(oldValue) as unknown, to: JSON.parse(newValue) as unknown } },
  dueAt,
});

const isRow = ({ organizationId, id }: Pick<Row, "organizationId" | "id">) =>
  and(eq(policyChanges.organizationId, organizationId), eq(policyChanges.id, id));

const removeChange = ({ db }: WriteServices, row: Row): Statement => db.delete(policyChanges).where(isRow(row));

/** An organisation's waiting changes as pages show them, in the order they take effect. */
export async function listWaitingChanges(
  { db, clock }: TimedServices,
  { organizationId, userId, timeZone }: Pick<Actor, "organizationId" | "userId" | "timeZone">,
) {
  const rows = await db
    .select({ change: policyChanges, firstName: users.firstName, lastName: users.lastName })
    .from(policyChanges)
    .innerJoin(users, eq(users.id, policyChanges.askedById))
    .where(and(eq(policyChanges.organizationId, organizationId), gt(policyChanges.dueAt, clock.now())))
    .orderBy(asc(policyChanges.dueAt), asc(policyChanges.id));
  return rows.map(({ change, ...person }) => {
    const { changes } = said(change);
    const [words = ""] = Object.entries(changes).map(([field, one]) => policyChangeWords(field, one));
    return {
      id: change.id,
      words,
      askedBy: displayName(person),
      askedOn: formatDateTime(change.askedAt, timeZone),
      holdsFrom: formatDateTime(change.dueAt, timeZone),
      isOwn: change.askedById === userId,
    };
  });
}

export type WaitingChange = Awaited<ReturnType<typeof listWaitingChanges>>[number];

async function getWaiting({ db, clock }: WriteServices, { organizationId }: Actor, id: string) {
  const still = and(isRow({ organizationId, id }), gt(policyChanges.dueAt, clock.now()));
  const found = db.select().from(policyChanges).where(still);
  const [row] = await found;
  if (!row) throw notWaiting();
  return { row, condition: { name: "not_waiting" as const, found } };
}

const notWaiting = () =>
  new AppError(
    "POLICY_CHANGED",
    "This change is no longer waiting: it took effect, or someone cancelled it. Look again.",
  );

/** Cancels a waiting change, by any administrator, its requester included. @throws AppError 409 POLICY_CHANGED */
export async function cancelChange(services: WriteServices, actor: Actor, id: string): Promise<void> {
  const { row, condition } = await getWaiting(services, actor, id);
  const { ok } = await runCommand(services, actor, {
    conditions: [condition],
    statements: [removeChange(services, row)],
    audit: [{ action: "organization.policy_weakening_cancelled", entityId: actor.organizationId, details: said(row) }],
  });
  if (!ok) throw notWaiting();
}

/**
 * Puts a change into effect at once, by a second administrator. Neither the one who requested it nor anybody who joined
 * more recently than the delay may do so, because a mailbox invited for this purpose would not be an independent
 * judgement.
 * @throws AppError 403 SECOND_PERSON_REQUIRED; the errors of `requireSigned` when the organisation asks for a passkey;
 * 409 POLICY_CHANGED
 */
export async function confirmChange(
  services: Services,
  actor: Actor,
  {
    id,
    policy: { weakeningDelayHours: delayHours, passkeyForPolicies },
    signed: fields,
  }: { id: string; policy: Pick<Policy, "weakeningDelayHours" | "passkeyForPolicies">; signed?: SignedFields },
): Promise<void> {
  const { db, clock } = services;
  const { organizationId, userId } = actor;
  const { row, condition } = await getWaiting(services, actor, id);
  if (row.askedById === userId)
    throw secondAdminRequired("You asked for this change, so another administrator has to confirm it.");
  const longEnough = rowIn(db, organizationUsers).where(
    and(
      eq(organizationUsers.organizationId, organizationId),
      eq(organizationUsers.userId, userId),
      eq(organizationUsers.role, "admin"),
      lte(organizationUsers.updatedAt, clock.now() - delayHours * HOUR_MS),
    ),
  );
  const tooNew = () =>
    secondAdminRequired(
      `You became an administrator here, or were given access, less than ${formatCount(delayHours, "hour")} ago. You can cancel this change, but not confirm it.`,
    );
  if ((await longEnough).length === 0) throw tooNew();
  const { changes } = said(row);
  const signed = passkeyForPolicies
    ? await requireSigned(services, actor, approvablePolicies("confirm_policy", organizationId, changes), fields)
    : undefined;
  const result = await runCommand(services, actor, {
    conditions: [condition, { name: "too_new", found: longEnough }, ...(signed?.conditions ?? [])],
    statements: [...applyChange(services, row), removeChange(services, row)],
    parts: signed ? [signed.part] : [],
    audit: [{ action: "organization.policy_weakening_confirmed", entityId: organizationId, details: said(row) }],
  });
  if (!result.ok) throw result.refused === "too_new" ? tooNew() : notWaiting();
}

const secondAdminRequired = (message: string) => new AppError("SECOND_PERSON_REQUIRED", message);

/** How many changes one cron run writes; the next run continues. */
const MAX_APPLIED = 200;

/** Writes each due change into the row that it changes, once. @returns how many */
export async function applyDueChanges(services: Services): Promise<number> {
  const { db, clock, ids } = services;
  const rows = await db
    .select()
    .from(policyChanges)
    .where(lte(policyChanges.dueAt, clock.now()))
    .orderBy(asc(policyChanges.dueAt))
    .limit(MAX_APPLIED);
  let applied = 0;
  for (const row of rows) {
    const found = db
      .select()
      .from(policyChanges)
      .where(and(isRow(row), eq(policyChanges.dueAt, row.dueAt)));
    const { ok } = await runCommand(services, systemActor(row.organizationId, ids.next()), {
      conditions: [{ name: "not_waiting", found }],
      statements: [...applyChange(services, row), removeChange(services, row)],
      audit: [{ action: "organization.policy_weakened", entityId: row.organizationId, details: said(row) }],
    });
    if (ok) applied++;
  }
  return applied;
}

/** The row that a change updates exists already: it was written when the change was requested. */
function applyChange({ db, clock }: WriteServices, { organizationId, field, newValue }: Row): Statement[] {
  const value = JSON.parse(newValue) as unknown;
  const now = clock.now();
  if (field.startsWith(DOMAIN_FIELD)) {
    const one = and(
      eq(organizationDomains.organizationId, organizationId),
      eq(organizationDomains.domain, field.slice(DOMAIN_FIELD.length)),
    );
    return [
      db
        .update(organizationDomains)
        .set({ autoApprove: value === true, updatedAt: now })
        .where(one),
    ];
  }
  if (isLimit(field)) {
    const set = field === "workingHours" ? hoursColumns(value as Hours) : { [field]: value };
    return [
      db
        .update(paymentFileSettings)
        .set({ ...set, updatedAt: now })
        .where(eq(paymentFileSettings.organizationId, organizationId)),
    ];
  }
  const levels = organizationPolicies.ruleLevels;
  const set = Object.hasOwn(DEFAULT_POLICY, field)
    ? { [field]: value }
    : {
        ruleLevels:
          value === "default"
            ? sql`json_remove(${levels}, ${`$."${field}"`})`
            : sql`json_set(${levels}, ${`$."${field}"`}, ${value})`,
      };
  // Later than the version it replaces, whatever the clock says, so that a form made earlier cannot be saved over it.
  const updatedAt = sql`max(${organizationPolicies.updatedAt} + 1, ${now})`;
  return [
    db
      .update(organizationPolicies)
      .set({ ...set, updatedAt })
      .where(eq(organizationPolicies.organizationId, organizationId)),
  ];
}

type Hours = { opensAtMinute: number; closesAtMinute: number; worksWeekends: boolean } | null;

export const hoursColumns = (hours: Hours) => ({
  opensAtMinute: hours?.opensAtMinute ?? null,
  closesAtMinute: hours?.closesAtMinute ?? null,
  worksWeekends: hours?.worksWeekends ?? true,
});
