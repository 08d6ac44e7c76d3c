import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./console.mjs";

const HOST = "127.0.0.1";

/** Browsers create passkeys for host names only, so APP_HOST=localhost serves this copy under its name. */
const nameOf = (env) => (env.APP_HOST === "localhost" ? "localhost" : HOST);

/** Where this copy listens and keeps its data; two copies with different values run side by side. */
export function readPlace(env = process.env) {
  const port = Number(env.PORT ?? 8787);
  const simulatorsPort = Number(env.SIMULATORS_PORT ?? 8788);
  return {
    host: HOST,
    port,
    simulatorsPort,
    inspectorPort: Number(env.INSPECTOR_PORT ?? 9229),
    stateDir: path.resolve(ROOT, env.STATE_DIR ?? ".local"),
    appOrigin: `http://${nameOf(env)}:${port}`,
    simulatorsOrigin: `http://${HOST}:${simulatorsPort}`,
  };
}

const key = (name) => `${name}:${randomBytes(32).toString("base64url")}`;

const newSecrets = () => ({
  COOKIE_SECRETS: randomBytes(32).toString("base64url"),
  FINGERPRINT_KEYS: key("local1"),
  ENCRYPTION_KEYS: key("local1"),
  BASIQ_API_KEY: randomBytes(24).toString("base64"),
  BASIQ_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString("base64")}`,
  COP_TOKEN: randomBytes(24).toString("base64url"),
  AZUPAY_API_KEY: `SECR_${randomBytes(16).toString("hex")}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString("hex")}`,
  MAIL_WEBHOOK_SECRETS: `whsec_${randomBytes(24).toString("base64")}`,
  MAIL_API_KEY: `re_${randomBytes(16).toString("hex")}`,
  SMS_AUTH_TOKEN: randomBytes(16).toString("hex"),
  XERO_CLIENT_SECRET: randomBytes(16).toString("hex"),
  XERO_WEBHOOK_KEYS: randomBytes(24).toString("base64"),
  MYOB_CLIENT_SECRET: randomBytes(16).toString("hex"),
  DEMO_PASSWORD: `Demo-${randomBytes(6).toString("base64url")}-9a`,
});

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch ({ message }) {
    throw new Error(`${file} cannot be read: ${message.replaceAll("\n", " ")}`);
  }
}

/** This copy's secrets, created once and stored with its data. */
export function readSecrets(stateDir) {
  const file = path.join(stateDir, "secrets.json");
  mkdirSync(stateDir, { recursive: true });
  const kept = existsSync(file) ? readJson(file) : {};
  const secrets = { ...newSecrets(), ...kept };
  if (Object.keys(secrets).length !== Object.keys(kept).length) {
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  }
  return secrets;
}

/** Variables of the outside parties: the shell's values replace the simulator's. */
const PROVIDER =
  /^(BASIQ|COP|AZUPAY|STRIPE|MAIL|SMS|ABR|XERO|MYOB|RDAP)_[A-Z0-9_]+$|^(BREACHED_PASSWORDS|DOMAIN_DNS)_URL$/;

/** Other variables of the app that the shell may set. */
const SETTINGS = new Set([
  "RATE_LIMIT_SCALE",
  "D1_METER",
  "DB_DRIVER",
  "LIBSQL_URL",
  "LIBSQL_AUTH_TOKEN",
  "BANK_CHECK_COST_CENTS",
  "DATABASE_LIMIT_BYTES",
  "OPERATOR_HEARTBEAT_URL",
  "OPERATOR_WEBHOOK_URL",
  "STATUS_TOKENS",
  "CONTACT_EMAIL",
  "CONTACT_PHONE",
  "CONTACT_ADDRESS",
]);

/** The variables of outside parties that the shell sets, e.g. `BASIQ_BASE_URL` and `BASIQ_API_KEY` for a sandbox. */
export function providerVariables(env = process.env) {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => PROVIDER.test(name) && value));
}

/** The environment of the local app: outside parties are the simulators, unless the shell sets others. */
export function localEnv(place, secrets, env = process.env) {
  const { STRIPE_WEBHOOK_SECRET, DEMO_PASSWORD: _demo, ...appSecrets } = secrets;
  const simulators = place.simulatorsOrigin;
  return {
    // Test copies hash passwords cheaply, because tests sign in hundreds of times.
    APP_ENV: env.APP_ENV === "test" ? "test" : "local",
    APP_ORIGIN: place.appOrigin,
    APP_VERSION: "local",
    BASIQ_BASE_URL: `${simulators}/basiq`,
    BASIQ_CONSENT_URL: `${simulators}/basiq/consent/home`,
    COP_BASE_URL: `${simulators}/cop`,
    AZUPAY_BASE_URL: `${simulators}/azupay`,
    STRIPE_API_BASE: `${simulators}/stripe`,
    STRIPE_SECRET_KEY: "sk_test_simulator",
    STRIPE_PUBLISHABLE_KEY: "pk_test_simulator",
    STRIPE_WEBHOOK_SECRETS: STRIPE_WEBHOOK_SECRET,
    STRIPE_PRICE_ID: "price_standard",
    STRIPE_TAX_RATE_ID: "txr_gst",
    MAIL_TRANSPORT: "http",
    MAIL_BASE_URL: `${simulators}/mail`,
    MAIL_FROM: "PayeeProof <notices@payeeproof.example>",
    INVOICE_MAIL_DOMAIN: "in.payeeproof.example",
    CONTACT_EMAIL: "hello@payeeproof.example",
    CONTACT_PHONE: "(02) 5550 0142",
    CONTACT_ADDRESS: "Level 2, 1 Example Street, Sydney NSW 2000",
    ABR_BASE_URL: `${simulators}/abr/json`,
    ABR_GUID: "11111111-1111-4111-8111-111111111111",
    DNS_RESOLVER_URL: `${simulators}/dns/query`,
    DOMAIN_DNS_URL: `${simulators}/dns/query`,
    RDAP_URL: `${simulators}/rdap`,
    WEBHOOK_RELAY_URL: `${simulators}/receiver`,
    XERO_AUTHORIZE_URL: `${simulators}/xero/authorize`,
    XERO_IDENTITY_URL: `${simulators}/xero/identity`,
    XERO_API_URL: `${simulators}/xero/api`,
    XERO_CLIENT_ID: "xero-simulator",
    MYOB_AUTHORIZE_URL: `${simulators}/myob/oauth2/account/authorize`,
    MYOB_TOKEN_URL: `${simulators}/myob/oauth2/v1/authorize`,
    MYOB_API_URL: `${simulators}/myob`,
    MYOB_CLIENT_ID: "myob-simulator",
    SMS_BASE_URL: `${simulators}/sms`,
    SMS_ACCOUNT_SID: "AClocal",
    SMS_FROM: "PayeeProof",
    ...appSecrets,
    ...Object.fromEntries(Object.entries(env).filter(([name, value]) => SETTINGS.has(name) && value)),
    ...providerVariables(env),
  };
}

/** The environment of the simulators: the secrets that the app and the simulators sign with. */
export function simulatorsEnv(place, env) {
  return {
    SIMULATORS_PORT: String(place.simulatorsPort),
    STATE_DIR: place.stateDir,
    APP_ORIGIN: place.appOrigin,
    BASIQ_API_KEY: env.BASIQ_API_KEY,
    BASIQ_WEBHOOK_SECRET: env.BASIQ_WEBHOOK_SECRET,
    COP_TOKEN: env.COP_TOKEN,
    AZUPAY_API_KEY: env.AZUPAY_API_KEY,
    STRIPE_WEBHOOK_SECRET: env.STRIPE_WEBHOOK_SECRETS,
    MAIL_WEBHOOK_SECRET: env.MAIL_WEBHOOK_SECRETS,
    XERO_CLIENT_SECRET: env.XERO_CLIENT_SECRET,
    XERO_WEBHOOK_KEY: env.XERO_WEBHOOK_KEYS,
    MYOB_CLIENT_SECRET: env.MYOB_CLIENT_SECRET,
  };
}
