/** The environment of tests: made-up keys, and outside parties at an address that only the simulators answer. */
export const SIMULATORS_ORIGIN = "http://simulators.test";

export const TEST_ENV = {
  APP_ENV: "test",
  APP_ORIGIN: "http://app.test",
  COOKIE_SECRETS: "a-cookie-secret-only-for-the-tests-000000",
  FINGERPRINT_KEYS: "f1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  ENCRYPTION_KEYS: "e1:HxwdGxoZGBcWFRQTEhEQDw4NDAsKCQgHBgUEAwIBAAA",
  BASIQ_BASE_URL: `${SIMULATORS_ORIGIN}/basiq`,
  BASIQ_CONSENT_URL: `${SIMULATORS_ORIGIN}/basiq/consent/home`,
  BASIQ_API_KEY: "dGVzdC1hcGkta2V5",
  BASIQ_WEBHOOK_SECRET: "whsec_dGVzdC13ZWJob29rLXNlY3JldC0wMDAwMDAwMDA=",
  STRIPE_API_BASE: `${SIMULATORS_ORIGIN}/stripe`,
  STRIPE_SECRET_KEY: "sk_test_simulator",
  STRIPE_PUBLISHABLE_KEY: "pk_test_simulator",
  STRIPE_WEBHOOK_SECRETS: "whsec_6f6e652073656372657420666f7220746573",
  STRIPE_PRICE_ID: "price_standard",
  STRIPE_TAX_RATE_ID: "txr_gst",
  MAIL_TRANSPORT: "http",
  MAIL_BASE_URL: `${SIMULATORS_ORIGIN}/mail`,
  MAIL_API_KEY: "re_test",
  MAIL_FROM: "PayeeProof <notices@payeeproof.test>",
  SMS_BASE_URL: `${SIMULATORS_ORIGIN}/sms`,
  SMS_ACCOUNT_SID: "ACtest",
  SMS_AUTH_TOKEN: "test-token",
  SMS_FROM: "PayeeProof",
} as const;
