import { prepared, users } from "@db/database";
import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { firstNameField, INSTITUTION_NAME, isPersonName, lastNameField } from "~/kernel/fields.schema.server";
import type { PendingOrganization } from "~/modules/accounts/organizations/organization";
import { listPendingOrganizations } from "~/modules/accounts/organizations/organization.server";
import { runCommand } from "~/modules/core/commands/run-command.server";
import type { Person, ReadServices, WriteServices } from "~/services-and-actor";
import { aboutUser, asAccountActor } from "./account.server";

export const namesSchema = z
  .object({ firstName: firstNameField, lastName: lastNameField })
  .refine(isPersonName, { path: ["firstName"], error: INSTITUTION_NAME });

/** True if a person still has to choose an organisation. Super admins work without one. */
export function needsOrganizationSelection(person: Pick<Person, "organizationId" | "role">): boolean {
  return person.organizationId === null && person.role !== "super_admin";
}

/** The user as the specification's client expects it (section 3), with additions for this interface. */
export function toUserJson(person: Person, pendingOrganizations: readonly PendingOrganization[]) {
  return {
    id: person.userId,
    username: person.username,
    email: person.email,
    emailVerified: person.emailVerified,
    firstName: person.firstName,
    lastName: person.lastName,
    organizationId: person.organizationId,
    needsOrganizationSelection: needsOrganizationSelection(person),
    role: person.role,
    status: person.status,
    pendingOrganizations: pendingOrganizations.map(({ id, name, logo, subdomain }) => ({
      id,
      name,
      ...(logo === null ? {} : { logo }),
      ...(subdomain === null ? {} : { subdomain }),
    })),
    twoStepEnabled: person.twoStepEnabled,
  };
}

/** The user in the answer of GET /api/user and of every call that returns the user. */
export async function describeUser(services: ReadServices, person: Person) {
  return toUserJson(person, await listPendingOrganizations(services, person));
}

/** True until the person signs in again after registering. */
export async function findIsFirstVisit({ db }: ReadServices, userId: string): Promise<boolean> {
  const [row] = await visitsOf(db).all({ userId });
  return row !== undefined && row.lastLoginAt === row.createdAt;
}

const visitsOf = prepared((db) =>
  db
    .select({ createdAt: users.createdAt, lastLoginAt: users.lastLoginAt })
    .from(users)
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare(),
);

/** Changes a person's name. Saving the same name again writes nothing. */
export async function changeNames(
  services: WriteServices,
  person: Person,
  names: { firstName: string; lastName: string },
): Promise<void> {
  const { db, clock } = services;
  const { userId, firstName, lastName } = person;
  if (firstName === names.firstName && lastName === names.lastName) return;
  await runCommand(services, asAccountActor(person), {
    statements: [
      db
        .update(users)
        .set({ ...names, updatedAt: clock.now() })
        .where(eq(users.id, userId)),
    ],
    audit: [
      {
        action: "user.names_changed",
        ...aboutUser(userId),
        details: {
          firstName: { from: firstName, to: names.firstName },
          lastName: { from: lastName, to: names.lastName },
        },
      },
    ],
  });
}

type ReviewChoices = Pick<typeof users.$inferSelect, "reviewNext" | "reviewKeys" | "reviewRoomy">;

const NO_REVIEW_CHOICES: ReviewChoices = { reviewNext: false, reviewKeys: true, reviewRoomy: false };

/** A ticked box is sent, an unticked one is absent. */
const ticked = z.literal("on").optional().transform(Boolean);

export const reviewChoicesSchema: z.ZodType<ReviewChoices> = z.object({
  reviewNext: ticked,
  reviewKeys: ticked,
  reviewRoomy: ticked,
});

export async function findReviewChoices({ db }: ReadServices, userId: string): Promise<ReviewChoices> {
  const [row] = await choicesOf(db).all({ userId });
  return row ?? NO_REVIEW_CHOICES;
}

const choicesOf = prepared((db) =>
  db
    .select({ reviewNext: users.reviewNext, reviewKeys: users.reviewKeys, reviewRoomy: users.reviewRoomy })
    .from(users)
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare(),
);

/** Changes a person's settings for the review queue. Saving the same settings writes nothing. */
export async function changeReviewChoices(services: WriteServices, person: Person, choices: ReviewChoices) {
  const { db, clock } = services;
  const { userId } = person;
  const before = await findReviewChoices(services, userId);
  const names = Object.keys(NO_REVIEW_CHOICES) as (keyof ReviewChoices)[];
  if (names.every((name) => before[name] === choices[name])) return;
  await runCommand(services, asAccountActor(person), {
    statements: [
      db
        .update(users)
        .set({ ...choices, updatedAt: clock.now() })
        .where(eq(users.id, userId)),
    ],
    audit: [
      {
        action: "user.review_choices_changed",
        ...aboutUser(userId),
        details: Object.fromEntries(names.map((name) => [name, { from: before[name], to: choices[name] }])),
      },
    ],
  });
}
