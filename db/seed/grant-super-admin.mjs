/** The organisation of actions that belong to none in the audit trail: `PLATFORM_ORGANIZATION_ID` of the kernel. */
const PLATFORM = "00000000-0000-7000-8000-000000000000";

/** @param {string | number} value */
const literal = (value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(Number(value)));

/**
 * Statements that make an account a super admin: the entry in the audit trail first, if the account meets the
 * conditions, and then the change that the entry records. If no entry is written nothing changes; running them again
 * changes nothing.
 *
 * The last statement returns one row, or none if no account has the address; `explain` turns it into a sentence.
 *
 * @param {string} email as a person types it
 * @param {{ id: string, now: number }} entry a new id (UUID version 7), and epoch milliseconds
 * @returns {string[]} without semicolons at their ends
 */
export function grantStatements(email, { id, now }) {
  const address = literal(email.normalize("NFKC").trim().toLowerCase());
  const hasTwoStep = `EXISTS (SELECT 1 FROM two_steps WHERE two_steps."userId" = users."id" AND two_steps."enabledAt" IS NOT NULL)`;
  return [
    `INSERT INTO audit_logs ("id", "organizationId", "action", "entityType", "entityId", "details", "createdAt")
SELECT ${literal(id)}, ${literal(PLATFORM)}, 'user.super_admin_granted', 'user', users."id",
  json_object('role', json_object('from', users."role", 'to', 'super_admin')), ${literal(now)}
FROM users WHERE users."email" = ${address} AND users."status" = 'active' AND users."role" <> 'super_admin'
  AND users."emailVerifiedAt" IS NOT NULL AND ${hasTwoStep}`,
    `UPDATE users SET "role" = 'super_admin', "updatedAt" = ${literal(now)}
WHERE "id" = (SELECT "entityId" FROM audit_logs WHERE "id" = ${literal(id)})`,
    `SELECT users."role" AS "role", users."status" AS "status", users."emailVerifiedAt" IS NOT NULL AS "isConfirmed",
  ${hasTwoStep} AS "hasTwoStep", EXISTS (SELECT 1 FROM audit_logs WHERE "id" = ${literal(id)}) AS "isNew"
FROM users WHERE users."email" = ${address}`,
  ];
}

/**
 * What the statements did.
 * @param {string} email
 * @param {{ role: string, status: string, isConfirmed: number, hasTwoStep: number, isNew: number } | undefined} account
 * @returns {{ isSuperAdmin: boolean, sentence: string }}
 */
export function explain(email, account) {
  const no = (sentence) => ({ isSuperAdmin: false, sentence: `Nothing was changed: ${sentence}` });
  if (!account) return no(`no account has the address ${email}. Register it at /auth first.`);
  if (account.role === "super_admin") {
    const sentence = account.isNew ? `${email} is a super admin now.` : `${email} was a super admin already.`;
    return { isSuperAdmin: true, sentence };
  }
  if (account.status !== "active") return no(`the account of ${email} is not active (${account.status}).`);
  if (!account.isConfirmed) return no(`${email} is not confirmed. Open the link of the confirmation email first.`);
  return no(`${email} has no two-step sign-in. Turn it on at /profile/two-step first.`);
}
