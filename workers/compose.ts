import { type Db, openD1 } from "@db/database";
import { guardD1, type StatementMeta } from "@db/guarded-d1";
import { bindLibsql } from "@db/libsql-binding";
import { uuidv7 } from "uuidv7";
import { createMyob } from "~/adapters/accounting/myob";
import { createXero } from "~/adapters/accounting/xero";
import { createAzupayBankData } from "~/adapters/bank-data/azupay";
import { createBasiqBankData } from "~/adapters/bank-data/basiq";
import { createCopBankData } from "~/adapters/bank-data/cop";
import { createAbr } from "~/adapters/business-register/abr";
import { createCallWatch } from "~/adapters/call-watch";
import { createStripeCards } from "~/adapters/cards/stripe";
import { createDomainRecords } from "~/adapters/dns/dns-over-https";
import { createDocumentReader } from "~/adapters/document-reader/reader-binding";
import { createRdap } from "~/adapters/domain-registry/rdap";
import { withFormer } from "~/adapters/former-credentials";
import type { Fetch } from "~/adapters/http-client";
import { createOpenIdConnect } from "~/adapters/identity-provider/openid-connect";
import { createCloudflareMail } from "~/adapters/mail/cloudflare-mail";
import { createHttpMail } from "~/adapters/mail/http-mail";
import { createHttpOperator } from "~/adapters/operator/http-operator";
import { createKvNotes } from "~/adapters/outside-notes/kv-notes";
import { createBreachedRange, noBreachedPasswords } from "~/adapters/passwords/breached-range";
import { costFor, createScryptPasswords } from "~/adapters/passwords/scrypt";
import { createSecrets } from "~/adapters/secrets/web-crypto";
import { createTwilioSms } from "~/adapters/sms/twilio-sms";
import { createHttpsWebhook } from "~/adapters/webhooks/https-webhook";
import { UpstreamError } from "~/kernel/app-error";
import { toBase64Url } from "~/kernel/encodings";
import { smsReportsPath } from "~/kernel/paths/links";
import type { MailTransport } from "~/ports/messages";
import type { Clock, Ids, Log, Queues, Services } from "~/services-and-actor";
import { type Env, STRIPE } from "./env";
import { databaseCounts } from "./load";
import { createLog } from "./log";

/** A database call may take this long; after that the request is answered with 503. */
const DATABASE_TIMEOUT_MS = 8_000;
/** developers.cloudflare.com/d1/platform/limits: the largest database. */
const D1_LIMIT_BYTES = 10_000_000_000;
const SECRET_BYTES = 32;
const MAX_DELAY_SECONDS = 12 * 60 * 60;

/** What a test may replace. */
export type Overrides = Partial<Services> & { fetch?: Fetch; meter?: (sql: string, meta: StatementMeta) => void };

const systemClock: Clock = { now: () => Date.now() };

const randomIds: Ids = {
  next: () => uuidv7(),
  secret: () => toBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))),
};

/** Builds everything a command may use from what the runtime passes in. */
export function compose(env: Env, overrides: Overrides = {}): Services {
  const { fetch: outbound = (request: Request) => fetch(request), meter, ...given } = overrides;
  const clock = given.clock ?? systemClock;
  const log = given.log ?? createLog(env.APP_VERSION);
  const watch = createCallWatch(clock);
  return {
    db: openDb(env, outbound, meter),
    notes: createKvNotes(env.NOTES),
    clock,
    ids: randomIds,
    log,
    queues: createQueues(env, log),
    secrets: createSecrets({ fingerprint: env.FINGERPRINT_KEYS, encryption: env.ENCRYPTION_KEYS }),
    passwords: createScryptPasswords(costFor(env)),
    ...createProviders(env, { fetch: outbound, clock, log, watch }),
    providerCalls: watch,
    printFonts: createPrintFonts(env),
    operator: createHttpOperator({
      heartbeatUrl: env.OPERATOR_HEARTBEAT_URL,
      webhookUrl: env.OPERATOR_WEBHOOK_URL,
      appOrigin: env.APP_ORIGIN,
      fetch: outbound,
      clock,
    }),
    config: readConfig(env),
    ...given,
  };
}

/** From the files that the platform serves beside this Worker. */
const createPrintFonts = ({ ASSETS, APP_ORIGIN }: Env): Services["printFonts"] => ({
  async read(file) {
    const answer = await ASSETS?.fetch(new URL(`/build/print-fonts/${file}`, APP_ORIGIN));
    if (!answer?.ok) throw new Error(`the font ${file} is not served: ${answer?.status ?? "no files are bound"}`);
    return new Uint8Array(await answer.arrayBuffer());
  },
});

type Outbound = { fetch: Fetch; clock: Clock; log: Log; watch: ReturnType<typeof createCallWatch> };

/** The outside parties, each behind its port. */
function createProviders(env: Env, outbound: Outbound) {
  const { fetch, clock, log, watch } = outbound;
  const basiq = withFormer(env.BASIQ_API_KEY, watch.fetch("basiq", fetch));
  const stripe = withFormer(env.STRIPE_SECRET_KEY, watch.fetch("stripe", fetch));
  return {
    accounting: createAccounting(env, outbound),
    breachedPasswords: env.BREACHED_PASSWORDS_URL
      ? createBreachedRange({ baseUrl: env.BREACHED_PASSWORDS_URL, fetch, log })
      : noBreachedPasswords,
    bankData: createBasiqBankData({
      baseUrl: env.BASIQ_BASE_URL,
      consentUrl: env.BASIQ_CONSENT_URL,
      apiKey: basiq.current,
      fetch: basiq.fetch,
      clock,
      log,
    }),
    ...createInstantBankData(env, outbound),
    cards: createStripeCards({
      apiBase: env.STRIPE_API_BASE,
      secretKey: stripe.current,
      priceId: env.STRIPE_PRICE_ID,
      taxRateId: env.STRIPE_TAX_RATE_ID,
      webhookSecrets: env.STRIPE_WEBHOOK_SECRETS,
      fetch: stripe.fetch,
      clock,
    }),
    businessRegister: env.ABR_GUID
      ? createAbr({ baseUrl: env.ABR_BASE_URL, guids: env.ABR_GUID, fetch: watch.fetch("abr", fetch), clock })
      : undefined,
    domainRecords: env.DOMAIN_DNS_URL
      ? createDomainRecords({ resolverUrl: env.DOMAIN_DNS_URL, fetch: watch.fetch("dns", fetch), clock })
      : undefined,
    // It leads to hundreds of registries: one that is down says nothing about the others.
    domainRegistry: env.RDAP_URL
      ? createRdap({ baseUrl: env.RDAP_URL, fetch: watch.fetch("rdap", fetch), registryFetch: fetch, clock })
      : undefined,
    identityProvider: createOpenIdConnect({
      fetch,
      clock,
      resolverUrl: env.DNS_RESOLVER_URL,
      isLocal: env.APP_ENV !== "production",
    }),
    mail: createMail(env, outbound),
    documentReader: createDocumentReader({ binding: env.READER, log }),
    webhooks: createHttpsWebhook({
      resolverUrl: env.DNS_RESOLVER_URL,
      relayUrl: env.WEBHOOK_RELAY_URL,
      fetch,
      clock,
    }),
    sms: createSms(env, outbound),
  };
}

type Wire = Pick<Outbound, "fetch" | "clock" | "watch">;

/** Used if no text-message provider is set up: waiting messages keep waiting, as in an outage. */
const noSms: Services["sms"] = {
  async send() {
    throw new UpstreamError("sms", "unavailable", "no provider of text messages is set up");
  },
};

function createSms(env: Env, { fetch, clock, watch }: Wire): Services["sms"] {
  const { SMS_ACCOUNT_SID: accountSid, SMS_AUTH_TOKEN: tokens, SMS_FROM: from } = env;
  if (!accountSid || !tokens || !from) return noSms;
  const token = withFormer(tokens, fetch, (each) => btoa(`${accountSid}:${each}`));
  const sms = createTwilioSms({
    baseUrl: env.SMS_BASE_URL,
    accountSid,
    authToken: token.current,
    sender: { from },
    reportsUrl: `${env.APP_ORIGIN}${smsReportsPath}`,
    fetch: token.fetch,
    clock,
  });
  return { send: watch.send("sms", sms.send) };
}

/** Confirmation of Payee, if this installation has access to it: the service that is asked first, and a second one. */
function createInstantBankData(env: Env, { fetch, clock, watch }: Wire) {
  const { COP_BASE_URL: baseUrl, COP_TOKEN: tokens, COP_API_VERSION: apiVersion } = env;
  const token = tokens && withFormer(tokens, watch.fetch("cop", fetch));
  const zepto = token && createCopBankData({ baseUrl, token: token.current, apiVersion, fetch: token.fetch, clock });
  const key = env.AZUPAY_API_KEY && withFormer(env.AZUPAY_API_KEY, watch.fetch("azupay", fetch));
  const azupay =
    key && createAzupayBankData({ baseUrl: env.AZUPAY_BASE_URL, apiKey: key.current, fetch: key.fetch, clock });
  const [instantBankData, secondBankData] = (env.COP_FIRST === "zepto" ? [zepto, azupay] : [azupay, zepto]).filter(
    (service) => service !== undefined,
  );
  return { instantBankData, secondBankData };
}

/** Systems for which this installation has an app of its own. */
function createAccounting(env: Env, { fetch, clock, log, watch }: Outbound): Services["accounting"] {
  const { XERO_CLIENT_ID: xeroId, XERO_CLIENT_SECRET: xeroSecrets } = env;
  const { MYOB_CLIENT_ID: myobId, MYOB_CLIENT_SECRET: myobSecrets } = env;
  // A refusal because a customer of ours withdrew access says nothing about the party.
  const customers = { isOurCredential: false };
  const xeroFetch = watch.fetch("xero", fetch, customers);
  const myobFetch = watch.fetch("myob", fetch, customers);
  const xeroSecret = xeroSecrets && withFormer(xeroSecrets, xeroFetch, (secret) => btoa(`${xeroId}:${secret}`));
  const myobSecret = myobSecrets && withFormer(myobSecrets, myobFetch);
  const xero =
    xeroId && xeroSecret
      ? createXero({
          authorizeUrl: env.XERO_AUTHORIZE_URL,
          identityUrl: env.XERO_IDENTITY_URL,
          apiUrl: env.XERO_API_URL,
          clientId: xeroId,
          clientSecret: xeroSecret.current,
          fetch: xeroSecret.fetch,
          clock,
        })
      : undefined;
  const myob =
    myobId && myobSecret
      ? createMyob({
          authorizeUrl: env.MYOB_AUTHORIZE_URL,
          tokenUrl: env.MYOB_TOKEN_URL,
          apiUrl: env.MYOB_API_URL,
          clientId: myobId,
          clientSecret: myobSecret.current,
          fetch: myobSecret.fetch,
          clock,
          log,
        })
      : undefined;
  return { xero, myob };
}

const readConfig = (env: Env): Services["config"] => ({
  appEnv: env.APP_ENV,
  version: env.APP_VERSION,
  appOrigin: env.APP_ORIGIN,
  cookieSecrets: env.COOKIE_SECRETS,
  basiqWebhookSecrets: env.BASIQ_WEBHOOK_SECRET,
  mailWebhookSecrets: env.MAIL_WEBHOOK_SECRETS ?? [],
  smsAuthTokens: env.SMS_AUTH_TOKEN ?? [],
  hasTexts: env.SMS_ACCOUNT_SID !== undefined,
  xeroWebhookKeys: env.XERO_WEBHOOK_KEYS ?? [],
  bankCheckCostCents: env.BANK_CHECK_COST_CENTS,
  instantCheckCostCents: env.COP_COST_CENTS,
  asksBanksAutomatically: (env.COP_TOKEN ?? env.AZUPAY_API_KEY) !== undefined && env.COP_ASKS === "by_itself",
  cardForm: {
    publishableKey: env.STRIPE_PUBLISHABLE_KEY,
    standInScript: env.STRIPE_API_BASE === STRIPE ? null : `${env.STRIPE_API_BASE}/stripe.js`,
  },
  contact: { email: env.CONTACT_EMAIL, phone: env.CONTACT_PHONE, address: env.CONTACT_ADDRESS },
  legal: { name: env.LEGAL_ENTITY, abn: env.LEGAL_ABN },
  contactInbox: env.CONTACT_EMAIL ?? addressIn(env.MAIL_FROM),
  invoiceMailDomain: env.INVOICE_MAIL_DOMAIN,
  mailFrom: addressIn(env.MAIL_FROM),
  statusTokens: env.STATUS_TOKENS ?? [],
  databaseLimitBytes: env.DATABASE_LIMIT_BYTES ?? (env.DB_DRIVER === "d1" ? D1_LIMIT_BYTES : undefined),
  keys: {
    ENCRYPTION_KEYS: env.ENCRYPTION_KEYS.map(({ id, digest }) => ({ id, digest })),
    FINGERPRINT_KEYS: env.FINGERPRINT_KEYS.map(({ id, digest }) => ({ id, digest })),
  },
  parties: partiesOf(env),
  rateLimitScale: env.RATE_LIMIT_SCALE,
});

/** The outside parties that are set up, by the names under which their calls are monitored. */
const partiesOf = (env: Env): string[] => [
  "mail",
  "basiq",
  "stripe",
  ...(env.SMS_ACCOUNT_SID ? ["sms"] : []),
  ...(env.COP_TOKEN ? ["cop"] : []),
  ...(env.AZUPAY_API_KEY ? ["azupay"] : []),
  ...(env.ABR_GUID ? ["abr"] : []),
  ...(env.DOMAIN_DNS_URL ? ["dns"] : []),
  ...(env.RDAP_URL ? ["rdap"] : []),
  ...(env.XERO_CLIENT_ID ? ["xero"] : []),
  ...(env.MYOB_CLIENT_ID ? ["myob"] : []),
];

/** The address in `Name <address>`. Without an address for contact, messages go to the one we send from. */
function addressIn(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender;
}

function openDb(env: Env, fetch: Fetch, meter?: (sql: string, meta: StatementMeta) => void): Db {
  const binding = env.DB_DRIVER === "libsql" ? bindTo(env, fetch) : env.DB;
  if (!binding) throw new Error("DB_DRIVER d1 needs the binding DB");
  return openD1(guardD1(binding, { timeoutMs: DATABASE_TIMEOUT_MS, meter, counts: databaseCounts }));
}

function bindTo({ LIBSQL_URL: url, LIBSQL_AUTH_TOKEN: tokens }: Env, fetch: Fetch): D1Database {
  if (!url) throw new Error("DB_DRIVER libsql needs LIBSQL_URL");
  const token = tokens && withFormer(tokens, fetch);
  return bindLibsql(url, { authToken: token?.current, fetch: token?.fetch });
}

/** A hint that is lost is found again by the sweep, so a queue that refuses never fails the command. */
function createQueues(env: Env, log: Log): Queues {
  const queues = { "bank-checks": env.BANK_CHECKS, jobs: env.JOBS, "dead-letters": env.DEAD_LETTERS };
  return {
    async send(queue, jobIds, delaySeconds = 0) {
      if (jobIds.length === 0) return;
      const options = { delaySeconds: Math.min(delaySeconds, MAX_DELAY_SECONDS) };
      try {
        await queues[queue].sendBatch(
          jobIds.map((jobId) => ({ body: { jobId, v: 1 } })),
          options,
        );
      } catch (error) {
        log.warn("queue.send_failed", { queue, jobs: jobIds.length, error: String(error) });
      }
    },
  };
}

function createMail(env: Env, { fetch, clock, watch }: Wire): MailTransport {
  const mail = openMail(env, { fetch, clock });
  return { send: watch.send("mail", mail.send) };
}

function openMail(env: Env, { fetch, clock }: Pick<Outbound, "fetch" | "clock">): MailTransport {
  if (env.MAIL_TRANSPORT === "cloudflare" && env.EMAIL) {
    return createCloudflareMail({ binding: env.EMAIL, from: env.MAIL_FROM });
  }
  const { MAIL_BASE_URL: baseUrl, MAIL_API_KEY: keys } = env;
  if (!baseUrl || !keys) throw new Error("MAIL_TRANSPORT http needs MAIL_BASE_URL and MAIL_API_KEY");
  const key = withFormer(keys, fetch);
  return createHttpMail({ baseUrl, apiKey: key.current, from: env.MAIL_FROM, fetch: key.fetch, clock });
}
