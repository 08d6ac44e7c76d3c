import { columnsOf, contactSubmissions, organizations, organizationUsers, payees, users } from "@db/database";
import { and, asc, eq, gt, isNotNull, or, sql } from "drizzle-orm";
import * as z from "zod";
import { invalidInput } from "~/kernel/app-error";
import { formatDate } from "~/kernel/dates";
import { emailField } from "~/kernel/fields.schema.server";
import { ROLE_WORDS } from "~/modules/accounts/people-actions";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { type Origin, PLATFORM_ORGANIZATION_ID, type ReadServices, type WriteServices } from "~/services-and-actor";

const digits = (text: string) => text.replace(/[\s-]/g, "");

/** The form's fields: the person whom the request is about, and the payee after which the search continues. */
export const lookUpPostSchema = z.object({
  intent: z.literal("look-up"),
  email: emailField.optional(),
  bsb: z
    .string()
    .transform(digits)
    .pipe(z.string().regex(/^\d{6}$/, { error: "Enter the 6 digits of the BSB" }))
    .optional(),
  accountNumber: z
    .string()
    .transform(digits)
    .pipe(z.string().regex(/^\d{4,10}$/, { error: "Enter the account number" }))
    .optional(),
  after: z.string().max(40).optional(),
});

type Asked = Omit<z.infer<typeof lookUpPostSchema>, "intent">;

/** How many payees one press of the button searches. */
const PAYEES_AT_ONCE = 50_000;
const CONTACTS_AT_ONCE = 50_000;
const MAX_FOUND = 200;

/**
 * Finds where organisations hold data about a person: their account here, payees with their email address or bank
 * account, and messages they wrote to us. The search is audited without its search terms.
 * @throws AppError 400 with the fields
 */
export async function lookUpPerson(
  services: WriteServices,
  person: { userId: string; origin: Origin },
  { email, bsb, accountNumber, after }: Asked,
) {
  if (email === undefined && bsb === undefined && accountNumber === undefined)
    throw invalidInput({ email: ["Enter an email address, or a BSB and an account number"] });
  if ((bsb === undefined) !== (accountNumber === undefined))
    throw invalidInput({
      [bsb === undefined ? "bsb" : "accountNumber"]: ["Enter both the BSB and the account number"],
    });
  await runCommand(
    services,
    { ...person, organizationId: PLATFORM_ORGANIZATION_ID },
    {
      audit: [
        {
          action: "platform.person_looked_up",
          entityType: "organization",
          entityId: PLATFORM_ORGANIZATION_ID,
          details: { by: email === undefined ? "account" : "email" },
        },
      ],
    },
  );
  // Null is what was not searched: without an address nobody's account, and when payees are searched on, none again.
  const isFirst = email !== undefined && after === undefined;
  const [accounts, held, messages] = await Promise.all([
    isFirst ? listAccounts(services, email) : null,
    listPayees(services, { email, bsb, accountNumber, after }),
    isFirst ? listMessages(services, email) : null,
  ]);
  return { accounts, ...held, messages };
}

export type Found = Awaited<ReturnType<typeof lookUpPerson>>;

async function listAccounts({ db }: ReadServices, email: string) {
  const rows = await db
    .select({
      ...columnsOf(users, "id", "firstName", "lastName", "createdAt"),
      organization: organizations.name,
      role: organizationUsers.role,
    })
    .from(users)
    .leftJoin(organizationUsers, eq(organizationUsers.userId, users.id))
    .leftJoin(organizations, eq(organizations.id, organizationUsers.organizationId))
    .where(eq(users.email, email));
  return rows.map(({ id, firstName, lastName, createdAt, organization, role }) => ({
    key: `${id} ${organization}`,
    name: [firstName, lastName].filter(Boolean).join(" "),
    organization: organization ?? "None",
    role: role === null ? "" : ROLE_WORDS[role],
    since: formatDate(createdAt),
  }));
}

async function listPayees({ db }: ReadServices, { email, bsb, accountNumber, after = "" }: Asked) {
  const walk = db
    .select(columnsOf(payees, "id", "organizationId", "name", "email", "bsb", "accountNumber", "archivedAt"))
    .from(payees)
    .where(gt(payees.id, after))
    .orderBy(asc(payees.id))
    .limit(PAYEES_AT_ONCE)
    .as("walk");
  const rows = await db
    .select({ id: walk.id, name: walk.name, archivedAt: walk.archivedAt, organization: organizations.name })
    .from(walk)
    .innerJoin(organizations, eq(organizations.id, walk.organizationId))
    .where(
      or(
        email === undefined ? undefined : and(isNotNull(walk.email), eq(sql`lower(${walk.email})`, email)),
        bsb === undefined || accountNumber === undefined
          ? undefined
          : and(eq(walk.bsb, bsb), sql`ltrim(${walk.accountNumber}, '0') = ltrim(${accountNumber}, '0')`),
      ),
    )
    .orderBy(asc(walk.id))
    .limit(MAX_FOUND);
  const [last] = await db
    .select({ id: payees.id })
    .from(payees)
    .where(gt(payees.id, after))
    .orderBy(asc(payees.id))
    .limit(1)
    .offset(PAYEES_AT_ONCE - 1);
  return {
    payees: rows.map(({ id, name, archivedAt, organization }) => ({
      id,
      name: archivedAt === null ? name : `${name} (archived)`,
      organization,
    })),
    /** Set when more payees remain: the search continues after this one. */
    next: (rows.length === MAX_FOUND ? rows.at(-1) : last)?.id ?? null,
  };
}

async function listMessages({ db }: ReadServices, email: string) {
  const walk = db
    .select()
    .from(contactSubmissions)
    .where(gt(contactSubmissions.id, ""))
    .orderBy(asc(contactSubmissions.id))
    .limit(CONTACTS_AT_ONCE)
    .as("walk");
  const rows = await db
    .select()
    .from(walk)
    .where(eq(sql`lower(${walk.email})`, email))
    .limit(MAX_FOUND);
  return rows.map(({ id, interest, createdAt }) => ({ id, interest, on: formatDate(createdAt) }));
}
