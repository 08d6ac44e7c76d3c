import * as z from "zod";
import { parseAbn } from "~/kernel/abn";

/** The bindings of wrangler.toml and every variable and secret, parsed once; all that is missing is named at once. */

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, "is not an origin");
const address = z.string().refine((text) => URL.canParse(text), "is not an address");
const secret = z.string().min(1);

/** Where the card provider is; anywhere else is a simulator. */
export const STRIPE = "https://api.stripe.com";

const variables = z.object({
  APP_ENV: z.enum(["local", "test", "production"]),
  APP_ORIGIN: origin,
  APP_VERSION: z.string().default("dev"),
  COOKIE_SECRETS: secret.min(32),
  FINGERPRINT_KEYS: secret,
  ENCRYPTION_KEYS: secret,
  BASIQ_BASE_URL: address,
  BASIQ_CONSENT_URL: address,
  BASIQ_API_KEY: secret,
  BASIQ_WEBHOOK_SECRET: secret,
  /** Confirmation of Payee, by Zepto's interface; without a token it is not offered. */
  COP_BASE_URL: address.default("https://api.zeptopayments.com"),
  COP_TOKEN: secret.optional(),
  COP_API_VERSION: z
    .string()
    .regex(/^\d{8}$/, "is not a date such as 20260101")
    .default("20260101"),
  COP_COST_CENTS: z.coerce.number().int().min(0).default(0),
  STRIPE_API_BASE: address.default(STRIPE),
  STRIPE_SECRET_KEY: secret,
  STRIPE_PUBLISHABLE_KEY: secret,
  STRIPE_WEBHOOK_SECRETS: secret,
  /** The one plan, A$500.00 a month with GST inside, and the tax rate that shows the GST on its invoices. */
  STRIPE_PRICE_ID: secret,
  STRIPE_TAX_RATE_ID: secret,
  BANK_CHECK_COST_CENTS: z.coerce.number().int().min(0).default(0),
  MAIL_TRANSPORT: z.enum(["http", "cloudflare"]),
  MAIL_BASE_URL: address.optional(),
  MAIL_API_KEY: secret.optional(),
  /** "whsec_...", several with commas: signs what the mail provider reports. Needed with MAIL_TRANSPORT http. */
  MAIL_WEBHOOK_SECRETS: secret.optional(),
  MAIL_FROM: secret,
  /** Shown on the public site, and where its contact form writes to; what is not set is not shown. */
  CONTACT_EMAIL: z.email().optional(),
  CONTACT_PHONE: secret.optional(),
  CONTACT_ADDRESS: secret.optional(),
  /** The company that runs the service and its ABN, named in the footer, the terms and the privacy policy. */
  LEGAL_ENTITY: secret.optional(),
  LEGAL_ABN: z.string().transform(parseAbn).pipe(z.string("is not a valid ABN")).optional(),
  /** The public register of ABNs. Without a GUID, which is free by registration, nothing is looked up there. */
  ABR_BASE_URL: address.default("https://abr.business.gov.au/json"),
  ABR_GUID: secret.optional(),
  /** An app of developer.xero.com; without one Xero is not offered. */
  XERO_CLIENT_ID: secret.optional(),
  XERO_CLIENT_SECRET: secret.optional(),
  /** Any of these may have signed a webhook of Xero, separated by commas. */
  XERO_WEBHOOK_KEYS: secret.optional(),
  XERO_AUTHORIZE_URL: address.default("https://login.xero.com/identity/connect/authorize"),
  XERO_IDENTITY_URL: address.default("https://identity.xero.com"),
  XERO_API_URL: address.default("https://api.xero.com"),
  /** A key of developer.myob.com; without one MYOB is not offered. */
  MYOB_CLIENT_ID: secret.optional(),
  MYOB_CLIENT_SECRET: secret.optional(),
  MYOB_AUTHORIZE_URL: address.default("https://secure.myob.com/oauth2/account/authorize"),
  MYOB_TOKEN_URL: address.default("https://secure.myob.com/oauth2/v1/authorize"),
  MYOB_API_URL: address.default("https://api.myob.com"),
  SMS_BASE_URL: address,
  SMS_ACCOUNT_SID: secret,
  SMS_AUTH_TOKEN: secret,
  SMS_FROM: secret,
  /** Resolves the names of webhook endpoints before something is sent there. */
  DNS_RESOLVER_URL: address.default("https://cloudflare-dns.com/dns-query"),
  /** On a developer's machine: takes the place of every webhook endpoint. */
  WEBHOOK_RELAY_URL: address.optional(),
  /** The range interface of a service that knows breached passwords; without it only the list that ships is asked. */
  BREACHED_PASSWORDS_URL: address.optional(),
  DB_DRIVER: z.enum(["d1", "libsql"]).default("d1"),
  LIBSQL_URL: address.optional(),
  LIBSQL_AUTH_TOKEN: z.string().optional(),
  RATE_LIMIT_SCALE: z.coerce.number().min(1).default(1),
  D1_METER: z.enum(["0", "1"]).default("0"),
});

type Variables = z.infer<typeof variables>;

type Bindings = {
  DB: D1Database;
  ASSETS?: Fetcher;
  BANK_CHECKS: Queue;
  JOBS: Queue;
  EMAIL?: SendEmail;
};

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
    : result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  for (const name of ["DB", "BANK_CHECKS", "JOBS"]) if (!raw[name]) problems.push(`${name}: binding is missing`);
  if (raw.DB_DRIVER === "libsql" && !raw.LIBSQL_URL) problems.push("LIBSQL_URL: is missing");
  if (raw.MAIL_TRANSPORT === "http") {
    for (const name of ["MAIL_BASE_URL", "MAIL_API_KEY", "MAIL_WEBHOOK_SECRETS"])
      if (!raw[name]) problems.push(`${name}: is missing`);
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
