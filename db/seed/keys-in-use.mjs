/**
 * Where the names of keys are stored in the database: an envelope begins with the key's name and a full stop, a
 * fingerprint with the name and a colon. Every column that holds either is listed here; a test searches the schema for
 * others.
 */
export const ENVELOPES = [
  ["outbox", "sealedPayload"],
  ["two_steps", "sealedSecret"],
  ["single_sign_on", "sealedSecret"],
  ["webhook_endpoints", "sealedSecret"],
  ["webhook_endpoints", "formerSealedSecret"],
  ["organization_integrations", "credentials"],
  ["payee_import_parts", "sealed"],
  ["payment_file_bytes", "sealed"],
];

export const FINGERPRINTS = [
  ["payees", "hash"],
  ["payees", "accountFingerprint"],
  ["staff_accounts", "accountFingerprint"],
  ["lost_payments", "accountFingerprint"],
];

/** @param {string} variable @param {string} mark what ends a key's name */
const count =
  (variable, mark) =>
  ([table, column]) =>
    `SELECT '${variable}' AS "variable", '${table}.${column}' AS "where", substr("${column}", 1, instr("${column}", '${mark}') - 1) AS "key",
  count(*) AS "rows", NULL AS "digest" FROM ${table} WHERE "${column}" IS NOT NULL GROUP BY 3`;

/** Where the app itself notes which keys are in use. */
export const NOTED = "keys_in_use";

/** D1 refuses a UNION of more selects than this, but accepts a UNION of UNIONs. */
const MOST_SELECTS = 5;

/** @param {readonly string[]} selects */
function unionOf(selects) {
  const parts = [];
  for (let at = 0; at < selects.length; at += MOST_SELECTS)
    parts.push(`SELECT * FROM (${selects.slice(at, at + MOST_SELECTS).join("\nUNION ALL ")})`);
  return parts.join("\nUNION ALL ");
}

/**
 * How many rows each key has sealed or digested, by column; and which keys the app considers in use. Until the app has
 * found no row of such a key, it reports itself unhealthy without the key. Reads every row: for an operator's command,
 * not for a page.
 */
export const keysInUseSql = unionOf([
  ...ENVELOPES.map(count("ENCRYPTION_KEYS", ".")),
  ...FINGERPRINTS.map(count("FINGERPRINT_KEYS", ":")),
  `SELECT "variable", '${NOTED}', "key", 1, "digest" FROM keys_in_use WHERE "variable" > ''`,
]);

/**
 * For a key that is lost: from now on another may have its name. Without it that would be refused.
 * @param {string} key
 */
export const forgetDigestSql = (key) => `UPDATE keys_in_use SET "digest" = '' WHERE "key" = '${key}'`;
