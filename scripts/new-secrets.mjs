// npm run secrets:new -- FOLDER: files of secrets for a machine of your own (docs/operations/self-hosting.md). Nothing is overwritten.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { main, say } from "./lib/console.mjs";

const random = () => randomBytes(32).toString("base64url");
/** A key is identified by its name, so no two may share one. */
const key = () => `k${randomBytes(4).toString("hex")}:${random()}`;
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token that signs in to the libSQL server, and the key by which the server knows it. */
function databaseToken() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const claim = `${part({ alg: "EdDSA", typ: "JWT" })}.${part({ a: "rw" })}`;
  const token = `${claim}.${sign(null, Buffer.from(claim), privateKey).toString("base64url")}`;
  return { token, publicKey: publicKey.export({ type: "spki", format: "pem" }) };
}

await main(async () => {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error("Usage: npm run secrets:new -- FOLDER");
  const { token, publicKey } = databaseToken();
  const files = {
    secrets: `COOKIE_SECRETS=${random()}
FINGERPRINT_KEYS=${key()}
ENCRYPTION_KEYS=${key()}
LIBSQL_AUTH_TOKEN=${token}
STATUS_TOKENS=${random()}

# From others: docs/operations/variables.md says where each comes from, and which others there are.
SMTP_URL=
BASIQ_API_KEY=
BASIQ_WEBHOOK_SECRET=
STRIPE_SECRET_KEY=
STRIPE_PUBLISHABLE_KEY=
STRIPE_WEBHOOK_SECRETS=
STRIPE_PRICE_ID=
STRIPE_TAX_RATE_ID=
`,
    backup: `BACKUP_KEY=${random()}\n`,
    "database.pem": publicKey,
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(folder, name), text, { mode: 0o600, flag: "wx" });
  say("secrets", `${Object.keys(files).join(", ")} in ${folder}: keep a copy in your password manager`);
});
