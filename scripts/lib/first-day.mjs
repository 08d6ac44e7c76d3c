// One call to each outside party, for the first day with a real sandbox. It proves what a simulator cannot.

const basic = (name, secret) => `Basic ${btoa(`${name}:${secret}`)}`;
const form = (fields) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});
const json = (value) => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(value) });
/** The SHA-1 of "password". */
const KNOWN_PASSWORD = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8";
const uid = () => `firstday-${Date.now().toString(36)}`;

/** By name: the variables that must be set, optional ones with usual values, and the call, which returns sentences. */
export const PARTIES = {
  basiq: {
    needs: ["BASIQ_API_KEY"],
    usual: { BASIQ_BASE_URL: "https://au-api.basiq.io" },
    async ask(env, call) {
      const sent = form({ scope: "SERVER_ACCESS" });
      const headers = { ...sent.headers, authorization: `Basic ${env.BASIQ_API_KEY}`, "basiq-version": "3.0" };
      const token = await call("POST", `${env.BASIQ_BASE_URL}/token`, { ...sent, headers });
      const authorization = `Bearer ${token.body?.access_token}`;
      const { status, body } = await call("GET", `${env.BASIQ_BASE_URL}/connectors`, { headers: { authorization } });
      return [
        ["the key gives a token with expires_in", Number(token.body?.expires_in) > 0],
        ["the list of banks has data", status === 200 && Array.isArray(body?.data) && body.data.length > 0],
        ["each bank has an id", body?.data?.every(({ id }) => typeof id === "string") === true],
      ];
    },
  },
  cop: {
    needs: ["COP_TOKEN"],
    usual: { COP_BASE_URL: "https://api.sandbox.zeptopayments.com", COP_API_VERSION: "20260101" },
    async ask(env, call) {
      const sent = json({
        uid: uid(),
        account_identifier: { type: "bban", value: "062000-12345678" },
        party_name: "First Day Pty Ltd",
        requester: { id: "first-day" },
        ...(env.COP_SIMULATE ? { sandbox: { simulate: env.COP_SIMULATE } } : {}),
      });
      const headers = {
        ...sent.headers,
        authorization: `Bearer ${env.COP_TOKEN}`,
        "zepto-api-version": env.COP_API_VERSION,
      };
      const { status, body } = await call("POST", `${env.COP_BASE_URL}/cop/account/validate`, { ...sent, headers });
      const known = ["match", "close_match", "no_match", "account_closed"];
      return [
        ["the call is accepted", status === 200 || status === 404 || status === 422],
        [
          `the outcome is one that we know: ${JSON.stringify(body?.data?.outcome ?? status)}`,
          status !== 200 || known.includes(body?.data?.outcome?.result),
        ],
      ];
    },
  },
  azupay: {
    needs: ["AZUPAY_API_KEY"],
    usual: { AZUPAY_BASE_URL: "https://api-uat.azupay.com.au/v1" },
    async ask(env, call) {
      const sent = json({
        accountCheckId: uid(),
        bsb: "062000",
        accountNumber: "12345678",
        accountName: "First Day Pty Ltd",
        purposeCode: "VADR",
        additionalDetails: { endUserId: "first-day", endUserSessionId: "first-day" },
      });
      const headers = { ...sent.headers, authorization: env.AZUPAY_API_KEY };
      const { status, body } = await call("POST", `${env.AZUPAY_BASE_URL}/accountCheck`, { ...sent, headers });
      const isText = (field) => typeof body?.[field] === "string";
      return [
        ["the call is accepted", status === 200],
        ["the verdict has a code and words", isText("accountCheckResultCode") && isText("accountCheckResult")],
      ];
    },
  },
  stripe: {
    needs: ["STRIPE_SECRET_KEY"],
    usual: { STRIPE_API_BASE: "https://api.stripe.com" },
    async ask(env, call) {
      const headers = { authorization: `Bearer ${env.STRIPE_SECRET_KEY}` };
      const address = `${env.STRIPE_API_BASE}/v1/customers/search?query=${encodeURIComponent("metadata['organizationId']:'none'")}`;
      const { status, body } = await call("GET", address, { headers });
      return [
        ["the key may search customers", status === 200],
        ["the answer is a search_result with data", body?.object === "search_result" && Array.isArray(body.data)],
      ];
    },
  },
  xero: {
    needs: ["XERO_ACCESS_TOKEN", "XERO_TENANT_ID"],
    usual: { XERO_API_URL: "https://api.xero.com" },
    async ask(env, call) {
      const headers = { authorization: `Bearer ${env.XERO_ACCESS_TOKEN}`, "xero-tenant-id": env.XERO_TENANT_ID };
      const at = `${env.XERO_API_URL}/api.xro/2.0/Contacts`;
      const listed = await call("GET", `${at}?page=1&pageSize=1&includeArchived=true`, { headers });
      const [contact] = listed.body?.Contacts ?? [];
      const { body } = await call("GET", `${at}/${contact?.ContactID}/History`, { headers });
      const words = [...new Set(body?.HistoryRecords?.map(({ Changes }) => Changes))];
      return [
        ["a page of contacts has one with an id", typeof contact?.ContactID === "string"],
        ["the calls that are left are counted", listed.headers.get("x-minlimit-remaining") !== null],
        [`its history says what happened: ${words.join(", ")}`, words.length > 0],
      ];
    },
  },
  myob: {
    needs: ["MYOB_ACCESS_TOKEN", "MYOB_BUSINESS_ID", "MYOB_CLIENT_ID"],
    usual: { MYOB_API_URL: "https://api.myob.com" },
    async ask(env, call) {
      const headers = {
        authorization: `Bearer ${env.MYOB_ACCESS_TOKEN}`,
        "x-myobapi-key": env.MYOB_CLIENT_ID,
        "x-myobapi-version": "v2",
      };
      const at = `${env.MYOB_API_URL}/accountright/${env.MYOB_BUSINESS_ID}/Contact/Supplier`;
      const { status, body } = await call("GET", `${at}?$top=1&$orderby=UID`, { headers });
      const [supplier] = body?.Items ?? [];
      return [
        ["the token opens the company file", status === 200],
        ["a supplier has an id and payment details", typeof supplier?.UID === "string" && "PaymentDetails" in supplier],
      ];
    },
  },
  abr: {
    needs: ["ABR_GUID"],
    usual: { ABR_BASE_URL: "https://abr.business.gov.au/json" },
    async ask(env, call) {
      const lookUp = async (abn) => {
        const query = new URLSearchParams({ abn, guid: env.ABR_GUID });
        return (await call("GET", `${env.ABR_BASE_URL}/AbnDetails.aspx?${query}`, {})).text;
      };
      const office = await lookUp("51824753556");
      const found = [
        ["the answer is a call of a function", /^\s*[\w$.]+\(/.test(office)],
        ["the Taxation Office has a name", office.includes("AUSTRALIAN TAXATION OFFICE")],
      ];
      if (!env.ABR_WITHHELD_ABN) return found;
      const withheld = await lookUp(env.ABR_WITHHELD_ABN);
      const { EntityName, AbnStatus } = JSON.parse(withheld.replace(/^[^(]*\(|\)\s*;?\s*$/g, ""));
      return [
        ...found,
        ["a withheld entity has a status", AbnStatus === "Active" || AbnStatus === "Cancelled"],
        [`a withheld entity has no name: ${JSON.stringify(EntityName)}`, !EntityName],
      ];
    },
  },
  domains: {
    needs: [],
    usual: { DOMAIN_DNS_URL: "https://cloudflare-dns.com/dns-query", RDAP_URL: "https://rdap.org" },
    async ask(env, call) {
      const headers = { accept: "application/dns-json" };
      const records = async (name, type) =>
        (await call("GET", `${env.DOMAIN_DNS_URL}?name=${name}&type=${type}`, { headers })).body?.Answer ?? [];
      const registration = async (domain) => {
        const asked = { headers: { accept: "application/rdap+json" }, redirect: "manual" };
        const sentOn = (await call("GET", `${env.RDAP_URL}/domain/${domain}`, asked)).headers.get("location");
        return (sentOn && (await call("GET", sentOn, asked)).body) || {};
      };
      const [policies, hosts] = [await records("_dmarc.ato.gov.au", "TXT"), await records("ato.gov.au", "MX")];
      const [generic, au] = [await registration("iana.org"), await registration("auda.org.au")];
      const has = ({ events = [] }, action) => events.some(({ eventAction }) => eventAction === action);
      return [
        [
          "a TXT record is answered, in quotes or without",
          policies.some(({ type, data }) => type === 16 && /v=DMARC1/.test(data)),
        ],
        ["a host for email is answered with its preference", hosts.some(({ data }) => /^\d+ \S+$/.test(data))],
        ["a generic ending says when the domain was registered", has(generic, "registration")],
        ["the answer names the domain", /^iana\.org$/i.test(generic.ldhName ?? "")],
        ["the .au registry answers, and does not say when", au.ldhName !== undefined && !has(au, "registration")],
        [
          "the .au registry names the holder by a number",
          (au.auData_eligibility ?? []).some(({ name, value }) => name === "registrant id" && /^A[BC]N\b/.test(value)),
        ],
      ];
    },
  },
  passwords: {
    needs: [],
    usual: { BREACHED_PASSWORDS_URL: "https://api.pwnedpasswords.com/range" },
    async ask(env, call) {
      const address = `${env.BREACHED_PASSWORDS_URL}/${KNOWN_PASSWORD.slice(0, 5)}`;
      const { status, text } = await call("GET", address, { headers: { "add-padding": "true" } });
      const counts = new Map(text.split(/\r?\n/).map((line) => line.split(":")));
      return [
        ["five digits are answered", status === 200],
        ["a password that everybody knows is among the answers", Number(counts.get(KNOWN_PASSWORD.slice(5))) > 0],
        ["the answer is padded", [...counts.values()].includes("0")],
      ];
    },
  },
  sms: {
    needs: ["SMS_ACCOUNT_SID", "SMS_AUTH_TOKEN"],
    // With Twilio's test credentials, this sender number sends nothing.
    usual: { SMS_BASE_URL: "https://api.twilio.com", SMS_FROM: "+15005550006", SMS_TO: "+61491570156" },
    async ask(env, call) {
      const sent = form({ To: env.SMS_TO, From: env.SMS_FROM, Body: "First day" });
      const headers = { ...sent.headers, authorization: basic(env.SMS_ACCOUNT_SID, env.SMS_AUTH_TOKEN) };
      const at = `${env.SMS_BASE_URL}/2010-04-01/Accounts/${env.SMS_ACCOUNT_SID}/Messages.json`;
      const { status, body } = await call("POST", at, { ...sent, headers });
      return [
        ["the message is accepted", status === 201],
        ["it has an id and is queued", typeof body?.sid === "string" && body.status === "queued"],
      ];
    },
  },
  mail: {
    needs: ["MAIL_API_KEY"],
    usual: {
      MAIL_BASE_URL: "https://api.resend.com",
      MAIL_FROM: "onboarding@resend.dev",
      MAIL_TO: "delivered@resend.dev",
    },
    async ask(env, call) {
      const sent = json({
        from: env.MAIL_FROM,
        to: [env.MAIL_TO],
        subject: "First day",
        html: "<p>Hi</p>",
        text: "Hi",
      });
      const headers = { ...sent.headers, authorization: `Bearer ${env.MAIL_API_KEY}`, "idempotency-key": uid() };
      const [first, again] = [
        await call("POST", `${env.MAIL_BASE_URL}/emails`, { ...sent, headers }),
        await call("POST", `${env.MAIL_BASE_URL}/emails`, { ...sent, headers }),
      ];
      return [
        ["the email is accepted and has an id", typeof first.body?.id === "string"],
        ["the same key again sends nothing more", first.body?.id === again.body?.id],
      ];
    },
  },
};

/** @returns the variables that are not set or, if all are, what the call found, and what was refused */
export async function askParty(name, shell, fetch) {
  const { needs, usual, ask } = PARTIES[name];
  const missing = needs.filter((each) => !shell[each]);
  const refused = [];
  if (missing.length > 0) return { missing, found: [], refused };
  const call = async (method, url, init) => {
    const response = await fetch(new Request(url, { method, ...init }));
    const text = await response.text();
    if (response.status >= 400)
      refused.push(`${method} ${new URL(url).pathname} answered ${response.status} ${text.slice(0, 300)}`);
    let body;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    return { status: response.status, headers: response.headers, text, body };
  };
  return { missing, found: await ask({ ...usual, ...shell }, call), refused };
}
