import { type Condition, organizationPolicies, policyChanges, prepared } from "@db/database";
import { and, eq, getTableColumns, lte, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { idField } from "~/kernel/fields.schema.server";
import { MAX_AMOUNT_CENTS, parseAud } from "~/kernel/money";
import { requireSigned, type SignedFields } from "~/modules/accounts/identity/signed-approval.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { CHOSEN_RULES } from "~/modules/rules";
import { INVOICE_RULES } from "~/modules/rules/invoices";
import type { PolicyRuleLevel } from "~/modules/rules/payment-holds";
import { type Changes, DOMAIN_FIELD, isLimit } from "~/modules/rules/policy-changes";
import {
  DEFAULT_POLICY,
  POLICY_FIELDS,
  POLICY_NAMES,
  type PolicyField,
  type PolicyValues,
  TIME_ZONES,
} from "~/modules/rules/policy-fields";
import type { Actor, Services, TimedServices } from "~/services-and-actor";
import { changedPolicies, type Policy } from "./policy";
import { approvablePolicies, prepareWeaker, splitChanges } from "./policy-changes.server";

/** A ticked box is sent, an unticked one is absent. */
const ticked = z.literal("on").optional().transform(Boolean);

const whole = ({ min, max }: { min: number; max: number }) => {
  const message = `Enter a whole number from ${min} to ${max}`;
  return z
    .string({ error: message })
    .transform((text) => (/^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value >= min && value <= max, { error: message });
};

const INVALID_AMOUNT = "Enter an amount in dollars, such as 10,000";
const amount = z
  .string({ error: INVALID_AMOUNT })
  .transform((text) => parseAud(text) ?? -1)
  .refine((cents) => cents >= 0 && cents <= MAX_AMOUNT_CENTS, { error: INVALID_AMOUNT });

function schemaOf(field: PolicyField): z.ZodType<boolean | number | string> {
  if (field.kind === "flag") return ticked;
  if (field.kind === "whole") return whole(field);
  if (field.kind === "cents") return amount;
  if (field.kind === "zone") return z.enum(TIME_ZONES, { error: "Choose a time zone" });
  return z.enum(Object.keys(field.options), { error: "Choose what an approval needs" });
}

const values = Object.fromEntries(POLICY_NAMES.map((name) => [name, schemaOf(POLICY_FIELDS[name])])) as {
  [Name in keyof PolicyValues]: z.ZodType<PolicyValues[Name]>;
};

const level = z.enum(["hold", "warn", "off"], { error: "Choose what the rule does" }).optional();

const LEVELLED = [...CHOSEN_RULES, ...INVOICE_RULES];

const ruleLevels = z
  .object(Object.fromEntries(LEVELLED.map((rule) => [rule.id, level])))
  .transform((chosen): Record<string, PolicyRuleLevel> => {
    const own = LEVELLED.flatMap(({ id, defaultLevel }) => {
      const value = chosen[id];
      return value && value !== defaultLevel ? [[id, value] as const] : [];
    });
    return Object.fromEntries(own);
  });

/** The policies form. `version` is the version it was made from. */
export const policyFormSchema: z.ZodType<{ version: number; policy: Policy }> = z
  .object({
    version: z.coerce.number().int().min(0),
    ...values,
    ruleLevels: z.preprocess((levels) => levels ?? {}, ruleLevels),
  })
  .transform(({ version, ...policy }) => ({ version, policy }));

export const waitingFormSchema = z.object({ intent: z.enum(["cancel-change", "confirm-change"]), id: idField });

/** An organisation's policies; the defaults for those it has not set. */
export async function findPolicy(services: TimedServices, organizationId: string): Promise<Policy> {
  return (await findPolicyState(services, organizationId)).policy;
}

/** The policies and their version: 0 while the organisation has set none. */
export async function findPolicyState(services: TimedServices, organizationId: string) {
  const [row] = await policyOf(services.db).all({ organizationId, now: services.clock.now() });
  if (!row) return { policy: DEFAULT_POLICY, version: 0 };
  const { updatedAt, due, ...policy } = row;
  return { policy: withDue(policy, due), version: updatedAt };
}

const { organizationId: _key, passkeysRequiredSince: _since, ...decided } = getTableColumns(organizationPolicies);

const policyOf = prepared((db) =>
  db
    .select({ ...decided, due: dueChanges(sql.placeholder("organizationId"), sql.placeholder("now")) })
    .from(organizationPolicies)
    .where(eq(organizationPolicies.organizationId, sql.placeholder("organizationId")))
    .prepare(),
);

/** SQL column: an organisation's changes that are due by now, as JSON from field to value. */
export const dueChanges = (organizationId: SQLWrapper, now: SQLWrapper | number) =>
  sql<string>`(SELECT json_group_object("policy_changes"."field", json("policy_changes"."newValue")) FROM "policy_changes"
    WHERE "policy_changes"."organizationId" = ${organizationId} AND "policy_changes"."dueAt" <= ${now})`;

/** Policies or limits with the due changes applied. */
export function withDue<T extends object>(stored: T, due: string): T {
  const held = { ...stored } as Record<string, unknown>;
  const ruleLevels: Record<string, unknown> = "ruleLevels" in stored ? { ...(stored.ruleLevels as object) } : {};
  for (const [field, value] of Object.entries(JSON.parse(due) as Record<string, unknown>)) {
    if (Object.hasOwn(stored, field)) held[field] = value;
    else if (field in DEFAULT_POLICY || field.startsWith(DOMAIN_FIELD) || isLimit(field)) continue;
    else if (value === "default") delete ruleLevels[field];
    else ruleLevels[field] = value;
  }
  return { ...(held as T), ...("ruleLevels" in stored ? { ruleLevels } : {}) };
}

/** SQL: the present value of a policy, including a due change. */
export const policyNow = (organizationId: string, field: keyof Policy, now: number) =>
  sql`coalesce((SELECT json_extract(${policyChanges.newValue}, '$') FROM ${policyChanges} WHERE ${and(eq(policyChanges.organizationId, organizationId), eq(policyChanges.field, field), lte(policyChanges.dueAt, now))}), ${organizationPolicies[field]})`;

/**
 * Changes the policies of the actor's organisation; the audit trail records every old and new value. Changes that make
 * fraud easier are delayed (`policy-changes.server.ts`).
 * @param input.version from `findPolicyState` when the form was made
 * @throws AppError the errors of `requireSigned` when the organisation asks for a passkey; 409 POLICY_CHANGED when
 * another person has changed them since
 * @returns whether anything changed at once, and when the delayed changes take effect; null: none are delayed
 */
export async function changePolicy(
  services: Services,
  actor: Actor,
  { version, policy, signed: fields }: { version: number; policy: Policy; signed?: SignedFields },
): Promise<{ isChanged: boolean; waitsUntil: number | null }> {
  const { db, clock } = services;
  const { organizationId } = actor;
  const before = await findPolicyState(services, organizationId);
  if (before.version !== version) throw changed();
  const { atOnce, weaker } = splitChanges(changedPolicies(before.policy, policy));
  const delayHours = before.policy.weakeningDelayHours;
  const waiting = await prepareWeaker(services, actor, { atOnce, weaker, delayHours });
  const isChanged = Object.keys(atOnce).length > 0;
  const waitsUntil = Object.keys(weaker).length > 0 ? waiting.dueAt : null;
  if (!isChanged && !waiting.isNew) return { isChanged, waitsUntil };
  const signed = before.policy.passkeyForPolicies
    ? await requireSigned(
        services,
        actor,
        approvablePolicies("change_policies", organizationId, { ...atOnce, ...weaker }),
        fields,
      )
    : undefined;
  // Later than the version it replaces, whatever the clock says.
  const row = { ...withoutChanges(policy, before.policy, weaker), updatedAt: Math.max(clock.now(), version + 1) };
  const since = atOnce.passkeysRequired ? { passkeysRequiredSince: clock.now() } : {};
  const result = await runCommand(services, actor, {
    conditions: [policyIsAt(organizationId, version), ...(signed?.conditions ?? [])],
    statements: [
      db
        .insert(organizationPolicies)
        .values({ organizationId, ...row, ...since })
        .onConflictDoUpdate({ target: organizationPolicies.organizationId, set: { ...row, ...since } }),
    ],
    parts: [waiting.part, ...(signed ? [signed.part] : [])],
    audit: isChanged ? [{ action: "organization.policy_changed", entityId: organizationId, details: atOnce }] : [],
    answer: { isChanged, waitsUntil },
  });
  if (!result.ok) throw changed();
  return result.answer;
}

/** The requested policies without the delayed changes. */
function withoutChanges(asked: Policy, before: Policy, waiting: Changes): Policy {
  const kept: Record<string, unknown> = { ...asked };
  const ruleLevels = { ...asked.ruleLevels };
  for (const field of Object.keys(waiting)) {
    if (Object.hasOwn(before, field)) kept[field] = before[field as keyof Policy];
    else {
      delete ruleLevels[field];
      const level = before.ruleLevels[field];
      if (level) ruleLevels[field] = level;
    }
  }
  return { ...(kept as Policy), ruleLevels };
}

type Judged = Partial<
  Pick<Policy, "acceptVouching" | "approvalEvidence" | "autoApproveExact" | "secondPersonRequired">
>;

/**
 * The condition that the policies which a decision was based on are unchanged, including defaults.
 * @param now the instant of the judgement, because a change may be due but not written yet
 */
export function policyIsUnchanged(organizationId: string, judged: Judged, now: number): Condition<"policy_changed"> {
  const differs = sql.join(
    Object.entries(judged).map(
      ([key, value]) =>
        sql`${policyNow(organizationId, key as keyof Judged, now)} <> ${typeof value === "boolean" ? Number(value) : value}`,
    ),
    sql` OR `,
  );
  const mine = eq(organizationPolicies.organizationId, organizationId);
  const found = sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${organizationPolicies} WHERE ${mine} AND (${differs}))`;
  return { name: "policy_changed", found };
}

/** The condition that nobody has changed the policies since this version was read. */
function policyIsAt(organizationId: string, version: number) {
  const mine = eq(organizationPolicies.organizationId, organizationId);
  const found =
    version === 0
      ? sql`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${organizationPolicies} WHERE ${mine})`
      : sql`SELECT 1 FROM ${organizationPolicies} WHERE ${and(mine, eq(organizationPolicies.updatedAt, version))}`;
  return { name: "policy_changed" as const, found };
}

const changed = () =>
  new AppError(
    "POLICY_CHANGED",
    "Someone else changed the policies a moment ago. Your changes were not saved: reload the page and look first.",
  );
