import * as z from "zod";
import { parseKeys } from "~/adapters/secrets/web-crypto";
import { parseAbn } from "~/kernel/abn";

/**
 * The bindings of wrangler.toml and every variable and secret, parsed once. One error names everything missing or
 * malformed. `docs/operations/variables.md` describes each variable.
 */

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, "is not an origin");
const address = z.string().refine((text) => URL.canParse(text), "is not an address");
const secret = z.string().min(1);
const longSecret = z.string().min(32, "is shorter than 32 characters");
const number = z.coerce.number("is not a number");
const cents = number.int("is not a whole number").min(0, "is below 0").default(0);

/** Comma-separated values: the first is current, the rest are still accepted. No value may be empty or repeated. */
const list = (each: z.ZodType<string, string> = secret) =>
  z
    .string()
    .transform((text) => text.split(",").map((member) => member.trim()))
    .refine((members) => !members.includes(""), "has an empty member: a comma too many?")
    .refine((members) => new Set(members).size === members.length, "has a member twice")
    .pipe(z.array(each));

const keys = z.string().transform((text, context) => {
  try {
    const found = parseKeys("", text);
    if (new Set(found.map(({ id }) => id)).size === found.length) return found;
    context.issues.push({ code: "custom", input: text, message: "has two keys with the same name" });
  } catch {
    context.issues.push({ code: "custom", input: text, message: "each key is name:base64url of 32 bytes" });
  }
  return z.NEVER;
});

const beginning = (...starts: string[]) =>
  z
    .string()
    .refine(
      (text) => starts.some((start) => text.startsWith(start) && text.length > start.length),
      `does not begin with ${starts.join(" or ")}`,
    );

/** In the format of Standard Webhooks: "whsec_" and base64. */
const webhookSecret = z.string().regex(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/, "is not whsec_ and base64");

/** The card provider's own address. Any other address is a simulator. */
export const STRIPE = "https://api.stripe.com";

export const variables = z.object({
  APP_ENV: z.enum(["local", "test", "production"]),
  APP_ORIGIN: origin,
  APP_VERSION: z.string().default("dev"),
  COOKIE_SECRETS: list(longSecret),
  FINGERPRINT_KEYS: keys,
  ENCRYPTION_KEYS: keys,
  BASIQ_BASE_URL: address,
  BASIQ_CONSENT_URL: address,
  BASIQ_API_KEY: list(),
  BASIQ_WEBHOOK_SECRET: list(webhookSecret),
  /** Confirmation of Payee through Zepto; not offered without a token. */
  COP_BASE_URL: address.default("https://api.zeptopayments.com"),
  COP_TOKEN: list().optional(),
  COP_API_VERSION: z
    .string()
    .regex(/^\d{8}$/, "is not a date such as 20260101")
    .default("20260101"),
  COP_ASKS: z.enum(["by_itself", "when_pressed"]).default("by_itself"),
  /** Confirmation of Payee through Azupay; not used without a key. With both, COP_FIRST names the one to ask first. */
  AZUPAY_BASE_URL: address.default("https://api.azupay.com.au/v1"),
  AZUPAY_API_KEY: list().optional(),
  COP_FIRST: z.enum(["zepto", "azupay"]).default("zepto"),
  COP_COST_CENTS: cents,
  STRIPE_API_BASE: address.default(STRIPE),
  STRIPE_SECRET_KEY: list(beginning("sk_", "rk_")),
  STRIPE_PUBLISHABLE_KEY: beginning("pk_"),
  STRIPE_WEBHOOK_SECRETS: list(beginning("whsec_")),
  /** The only plan, A$500.00 a month including GST, and the tax rate that shows the GST on invoices. */
  STRIPE_PRICE_ID: beginning("price_"),
  STRIPE_TAX_RATE_ID: beginning("txr_"),
  BANK_CHECK_COST_CENTS: cents,
  MAIL_TRANSPORT: z.enum(["http", "cloudflare"]),
  MAIL_BASE_URL: address.optional(),
  MAIL_API_KEY: list().optional(),
  /** Secrets that verify the mail provider's reports. Without them, delivery of emails is not tracked. */
  MAIL_WEBHOOK_SECRETS: list(webhookSecret).optional(),
  MAIL_FROM: secret,
  /** A domain or subdomain whose emails the platform delivers here. Without it, no invoice is emailed in. */
  INVOICE_MAIL_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "is not a domain in lower case")
    .optional(),
  /** Contact details for the public site, and the recipient of its contact form. Unset values are not shown. */
  CONTACT_EMAIL: z.email().optional(),
  CONTACT_PHONE: secret.optional(),
  CONTACT_ADDRESS: secret.optional(),
  /** The company that runs the service and its ABN, named in the footer, the terms and the privacy policy. */
  LEGAL_ENTITY: secret.optional(),
  LEGAL_ABN: z.string().transform(parseAbn).pipe(z.string("is not a valid ABN")).optional(),
  /** The Australian Business Register. Without a GUID (free on registration), ABNs are not looked up. */
  ABR_BASE_URL: address.default("https://abr.business.gov.au/json"),
  ABR_GUID: list().optional(),
  /** A DNS-over-HTTPS resolver for DMARC and MX records of payees' email domains. Without it, neither is looked up. */
  DOMAIN_DNS_URL: address.optional(),
  /** An RDAP server that finds the registry of a domain. Without it, registration dates are not looked up. */
  RDAP_URL: address.optional(),
  /** An app registered at developer.xero.com. Without one, Xero is not offered. */
  XERO_CLIENT_ID: secret.optional(),
  XERO_CLIENT_SECRET: list().optional(),
  /** Keys that verify Xero's webhooks; any of them may have signed one. */
  XERO_WEBHOOK_KEYS: list().optional(),
  XERO_AUTHORIZE_URL: address.default("https://login.xero.com/identity/connect/authorize"),
  XERO_IDENTITY_URL: address.default("https://identity.xero.com"),
  XERO_API_URL: address.default("https://api.xero.com"),
  /** A key from developer.myob.com. Without one, MYOB is not offered. */
  MYOB_CLIENT_ID: secret.optional(),
  MYOB_CLIENT_SECRET: list().optional(),
  MYOB_AUTHORIZE_URL: address.default("https://secure.myob.com/oauth2/account/authorize"),
  MYOB_TOKEN_URL: address.default("https://secure.myob.com/oauth2/v1/authorize"),
  MYOB_API_URL: address.default("https://api.myob.com"),
  SMS_BASE_URL: address.default("https://api.twilio.com"),
  /** All three or none. Without them, no text message is offered or sent. */
  SMS_ACCOUNT_SID: secret.optional(),
  SMS_AUTH_TOKEN: list().optional(),
  SMS_FROM: secret.optional(),
  /** Resolves the host of a webhook endpoint before anything is sent there. */
  DNS_RESOLVER_URL: address.default("https://cloudflare-dns.com/dns-query"),
  /** On a developer's machine: receives what would go to webhook endpoints. */
  WEBHOOK_RELAY_URL: address.optional(),
  /** A service with a range interface to breached passwords. Without it, only the bundled list is checked. */
  BREACHED_PASSWORDS_URL: address.optional(),
  DB_DRIVER: z.enum(["d1", "libsql"]).default("d1"),
  LIBSQL_URL: address
    .pipe(beginning("libsql://", "https://", "http://"))
    // No call can be made with these, and its error would repeat them in the log.
    .refine((text) => !/^\w+:\/\/[^/]*@/.test(text), "has a name or password in it: use LIBSQL_AUTH_TOKEN")
    .optional(),
  LIBSQL_AUTH_TOKEN: list().optional(),
  /** The maximum size of the database. D1's maximum is 10 GB. */
  DATABASE_LIMIT_BYTES: number.int("is not a whole number").positive("is not above 0").optional(),
  /** Called every half minute while the service is healthy. The monitor there alerts when the calls stop. */
  OPERATOR_HEARTBEAT_URL: address.optional(),
  /** Receives a message when something stops working, and when it recovers. */
  OPERATOR_WEBHOOK_URL: address.optional(),
  /** Tokens that allow monitoring to read the status endpoint. */
  STATUS_TOKENS: list(longSecret).optional(),
  RATE_LIMIT_SCALE: number.min(1, "is below 1").default(1),
  D1_METER: z.enum(["0", "1"]).default("0"),
});

/** Variables of optional providers: set all of a group, or none. */
const TOGETHER = [
  ["SMS_ACCOUNT_SID", "SMS_AUTH_TOKEN", "SMS_FROM"],
  ["XERO_CLIENT_ID", "XERO_CLIENT_SECRET"],
  ["MYOB_CLIENT_ID", "MYOB_CLIENT_SECRET"],
];

type Bindings = {
  /** Not bound with DB_DRIVER "libsql". */
  DB?: D1Database;
  ASSETS?: Fetcher;
  BANK_CHECKS: Queue;
  JOBS: Queue;
  DEAD_LETTERS: Queue;
  /** Notes that are stored outside the database (docs/operations/restore.md). */
  NOTES: KVNamespace;
  EMAIL?: SendEmail;
  /** The Worker in `workers/reader`, which reads documents. */
  READER: Fetcher;
};

/** Each environment has queues of its own: "payeeproof-staging-jobs" is what "jobs" is on a developer's machine. */
export const roleOfQueue = (queue: string): string => queue.replace(/^payeeproof-(staging|production)-/, "");

/** The `env` that the runtime passes to fetch, queue and scheduled. */
export type RawEnv = Record<string, unknown>;

export type Env = z.infer<typeof variables> & Bindings;

const parsed = new WeakMap<RawEnv, Env>();

/** @throws Error listing every missing or malformed name */
export function readEnv(raw: RawEnv): Env {
  const known = parsed.get(raw);
  if (known) return known;
  const result = variables.safeParse(raw, { error: ({ input }) => (input === undefined ? "is missing" : undefined) });
  const problems = result.success
    ? []
    : result.error.issues.map(({ path: [name, member], message }) =>
        member === undefined
          ? `${String(name)}: ${message}`
          : `${String(name)}: member ${Number(member) + 1} ${message}`,
      );
  for (const name of [
    ...(raw.DB_DRIVER === "libsql" ? [] : ["DB"]),
    "BANK_CHECKS",
    "JOBS",
    "DEAD_LETTERS",
    "NOTES",
    "READER",
  ])
    if (!raw[name]) problems.push(`${name}: binding is missing`);
  if (raw.DB_DRIVER === "libsql" && !raw.LIBSQL_URL) problems.push("LIBSQL_URL: is missing");
  if (raw.MAIL_TRANSPORT === "http") {
    for (const name of ["MAIL_BASE_URL", "MAIL_API_KEY"]) if (!raw[name]) problems.push(`${name}: is missing`);
  }
  for (const names of TOGETHER) {
    if (!names.some((name) => raw[name])) continue;
    for (const name of names)
      if (!raw[name]) problems.push(`${name}: is missing, beside ${names.find((each) => raw[each])}`);
  }
  if (raw.APP_ENV === "production" && raw.WEBHOOK_RELAY_URL)
    problems.push("WEBHOOK_RELAY_URL: is for a developer's machine only");
  if (raw.MAIL_TRANSPORT === "cloudflare" && !raw.EMAIL) problems.push("EMAIL: binding is missing");
  if (!result.success || problems.length > 0)
    throw new Error(`The environment is not complete:\n${problems.join("\n")}`);
  const env: Env = { ...(raw as unknown as Bindings), ...result.data };
  parsed.set(raw, env);
  return env;
}
