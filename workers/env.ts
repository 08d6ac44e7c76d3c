import * as z from "zod";
import { parseKeys } from "~/adapters/secrets/web-crypto";
import { parseAbn } from "~/kernel/abn";

/**
 * The bindings of wrangler.toml and every variable and secret, parsed once; all that is missing or malformed is named at once.
 * `docs/operations/variables.md` has a row for each.
 */

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, "is not an origin");
const address = z.string().refine((text) => URL.canParse(text), "is not an address");
const secret = z.string().min(1);

/** Several, separated by commas: the first is current, the rest are still accepted. None may be empty, and none twice. */
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
    context.issues.push({ code: "custom", input: text, message: "has two keys of one name" });
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

/** As Standard Webhooks write it: "whsec_" and base64. */
const webhookSecret = z.string().regex(/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/, "is not whsec_ and base64");

/** Where the card provider is; anywhere else is a simulator. */
export const STRIPE = "https://api.stripe.com";

export const variables = z.object({
  APP_ENV: z.enum(["local", "test", "production"]),
  APP_ORIGIN: origin,
  APP_VERSION: z.string().default("dev"),
  COOKIE_SECRETS: list(z.string().min(32)),
  FINGERPRINT_KEYS: keys,
  ENCRYPTION_KEYS: keys,
  BASIQ_BASE_URL: address,
  BASIQ_CONSENT_URL: address,
  BASIQ_API_KEY: list(),
  BASIQ_WEBHOOK_SECRET: list(webhookSecret),
  /** Confirmation of Payee, by Zepto's interface; without a token it is not offered. */
  COP_BASE_URL: address.default("https://api.zeptopayments.com"),
  COP_TOKEN: list().optional(),
  COP_API_VERSION: z
    .string()
    .regex(/^\d{8}$/, "is not a date such as 20260101")
    .default("20260101"),
  COP_ASKS: z.enum(["by_itself", "when_pressed"]).default("by_itself"),
  /** The same by Azupay's interface; without a key it is not used. With both, COP_FIRST says which is asked while it answers. */
  AZUPAY_BASE_URL: address.default("https://api.azupay.com.au/v1"),
  AZUPAY_API_KEY: list().optional(),
  COP_FIRST: z.enum(["zepto", "azupay"]).default("zepto"),
  COP_COST_CENTS: z.coerce.number().int().min(0).default(0),
  STRIPE_API_BASE: address.default(STRIPE),
  STRIPE_SECRET_KEY: list(beginning("sk_", "rk_")),
  STRIPE_PUBLISHABLE_KEY: beginning("pk_"),
  STRIPE_WEBHOOK_SECRETS: list(beginning("whsec_")),
  /** The one plan, A$500.00 a month with GST inside, and the tax rate that shows the GST on its invoices. */
  STRIPE_PRICE_ID: beginning("price_"),
  STRIPE_TAX_RATE_ID: beginning("txr_"),
  BANK_CHECK_COST_CENTS: z.coerce.number().int().min(0).default(0),
  MAIL_TRANSPORT: z.enum(["http", "cloudflare"]),
  MAIL_BASE_URL: address.optional(),
  MAIL_API_KEY: list().optional(),
  /** Sign what the mail provider reports; without them it is not known what became of an email. */
  MAIL_WEBHOOK_SECRETS: list(webhookSecret).optional(),
  MAIL_FROM: secret,
  /** A domain or subdomain whose emails the platform hands to this Worker; without it no invoice is received by email. */
  INVOICE_MAIL_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "is not a domain in lower case")
    .optional(),
  /** Shown on the public site, and where its contact form writes to; what is not set is not shown. */
  CONTACT_EMAIL: z.email().optional(),
  CONTACT_PHONE: secret.optional(),
  CONTACT_ADDRESS: secret.optional(),
  /** The company that runs the service and its ABN, named in the footer, the terms and the privacy policy. */
  LEGAL_ENTITY: secret.optional(),
  LEGAL_ABN: z.string().transform(parseAbn).pipe(z.string("is not a valid ABN")).optional(),
  /** The public register of ABNs. Without a GUID, which is free by registration, nothing is looked up there. */
  ABR_BASE_URL: address.default("https://abr.business.gov.au/json"),
  ABR_GUID: list().optional(),
  /** A resolver over HTTPS that is asked for DMARC and MX of payees' email domains; without it neither is looked up. */
  DOMAIN_DNS_URL: address.optional(),
  /** A server that knows the registries of domains (RDAP); without it no registration is looked up. */
  RDAP_URL: address.optional(),
  /** An app of developer.xero.com; without one Xero is not offered. */
  XERO_CLIENT_ID: secret.optional(),
  XERO_CLIENT_SECRET: list().optional(),
  /** Any of these may have signed a webhook of Xero. */
  XERO_WEBHOOK_KEYS: list().optional(),
  XERO_AUTHORIZE_URL: address.default("https://login.xero.com/identity/connect/authorize"),
  XERO_IDENTITY_URL: address.default("https://identity.xero.com"),
  XERO_API_URL: address.default("https://api.xero.com"),
  /** A key of developer.myob.com; without one MYOB is not offered. */
  MYOB_CLIENT_ID: secret.optional(),
  MYOB_CLIENT_SECRET: list().optional(),
  MYOB_AUTHORIZE_URL: address.default("https://secure.myob.com/oauth2/account/authorize"),
  MYOB_TOKEN_URL: address.default("https://secure.myob.com/oauth2/v1/authorize"),
  MYOB_API_URL: address.default("https://api.myob.com"),
  SMS_BASE_URL: address.default("https://api.twilio.com"),
  /** All three, or none: without them nothing is offered or sent as a text message. */
  SMS_ACCOUNT_SID: secret.optional(),
  SMS_AUTH_TOKEN: list().optional(),
  SMS_FROM: secret.optional(),
  /** Resolves the names of webhook endpoints before something is sent there. */
  DNS_RESOLVER_URL: address.default("https://cloudflare-dns.com/dns-query"),
  /** On a developer's machine: takes the place of every webhook endpoint. */
  WEBHOOK_RELAY_URL: address.optional(),
  /** The range interface of a service that knows breached passwords; without it only the list that ships is asked. */
  BREACHED_PASSWORDS_URL: address.optional(),
  DB_DRIVER: z.enum(["d1", "libsql"]).default("d1"),
  LIBSQL_URL: address.optional(),
  LIBSQL_AUTH_TOKEN: list().optional(),
  /** How large the database may become. D1 ends at 10 GB. */
  DATABASE_LIMIT_BYTES: z.coerce.number().int().positive().optional(),
  /** Called every minute while all is well; whoever is called raises the alarm when that ends. */
  OPERATOR_HEARTBEAT_URL: address.optional(),
  /** Told when something stops, and when it goes on. */
  OPERATOR_WEBHOOK_URL: address.optional(),
  /** Open the status call, for monitoring. */
  STATUS_TOKENS: list(z.string().min(32)).optional(),
  RATE_LIMIT_SCALE: z.coerce.number().min(1).default(1),
  D1_METER: z.enum(["0", "1"]).default("0"),
});

/** Of a party that may be left out: all of them, or none. */
const TOGETHER = [
  ["SMS_ACCOUNT_SID", "SMS_AUTH_TOKEN", "SMS_FROM"],
  ["XERO_CLIENT_ID", "XERO_CLIENT_SECRET"],
  ["MYOB_CLIENT_ID", "MYOB_CLIENT_SECRET"],
];

type Variables = z.infer<typeof variables>;

type Bindings = {
  /** Absent with DB_DRIVER "libsql". */
  DB?: D1Database;
  ASSETS?: Fetcher;
  BANK_CHECKS: Queue;
  JOBS: Queue;
  /** What is noted outside the database (docs/operations/restore.md). */
  NOTES: KVNamespace;
  EMAIL?: SendEmail;
  /** Reads documents: a Worker of its own, in `workers/reader`. */
  READER: Fetcher;
};

/** Each environment has queues of its own: "payeeproof-staging-jobs" is what "jobs" is on a developer's machine. */
export const roleOfQueue = (queue: string): string => queue.replace(/^payeeproof-(staging|production)-/, "");

/** What the runtime hands to fetch, queue and scheduled. */
export type RawEnv = Record<string, unknown>;

export type Env = Variables & Bindings;

const parsed = new WeakMap<RawEnv, Env>();

/** @throws Error listing every missing or malformed name */
export function readEnv(raw: RawEnv): Env {
  const known = parsed.get(raw);
  if (known) return known;
  const result = variables.safeParse(raw);
  const problems = result.success
    ? []
    : result.error.issues.map(({ path: [name, member], message }) =>
        member === undefined
          ? `${String(name)}: ${message}`
          : `${String(name)}: member ${Number(member) + 1} ${message}`,
      );
  for (const name of [...(raw.DB_DRIVER === "libsql" ? [] : ["DB"]), "BANK_CHECKS", "JOBS", "NOTES", "READER"])
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
