import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { asciiDomain } from "~/kernel/domain-name";
import { askedDomain } from "~/kernel/email";
import type { Registration } from "~/ports/domains";
import { type Dmarc, type DomainAnswers, type MailRecords, toDomainView } from "./email-domain";

const NOW = Date.UTC(2026, 10, 20);
const kept = <Said>(said: Said | null, failedAt: number | null = null) => ({
  said,
  fetchedAt: said === null ? null : NOW - DAY_MS,
  failedAt,
});
const rdap = (registration: Registration): DomainAnswers => ({ rdap: kept(registration) });
const since = (days: number) =>
  rdap({ state: "registered", registeredAt: new Date(NOW - days * DAY_MS).toISOString() });
const dns = (dmarc: Dmarc, more: Partial<MailRecords> = {}): DomainAnswers => ({
  dns: kept({ dmarc, mail: "hosts", ...more }),
});
const reject: Dmarc = { state: "policy", policy: "reject", of: "acme.example", percent: 100 };

const view = (answers: DomainAnswers, asks = { dns: true, rdap: true }, abn: string | null = null) =>
  toDomainView(
    { domain: "acme.example", isFreeMail: false, answers, firstSeenAt: undefined, abn },
    { now: NOW, showDate: (ms) => new Date(ms).toISOString().slice(0, 10), asks },
  );
const said = (answers: DomainAnswers, term: string, asks?: { dns: boolean; rdap: boolean }) => {
  const fact = view(answers, asks).facts.find((each) => each.term === term);
  return [fact?.value, fact?.note].filter(Boolean).join(" | ");
};

test.each<[string, DomainAnswers, string]>([
  ["a date", since(4_100), "2015-08-30, 11 years ago | Looked up on 2026-11-19."],
  [
    ".au",
    rdap({ state: "registered", registeredAt: null }),
    "Yes, but the registry does not publish the date | Looked up on 2026-11-19.",
  ],
  [
    "not registered",
    rdap({ state: "not_registered" }),
    "The registry says that it is not registered | Looked up on 2026-11-19.",
  ],
  [
    "an ending without a registry",
    rdap({ state: "no_registry" }),
    "Not known: no registry publishes registrations under this ending | Looked up on 2026-11-19.",
  ],
  ["nobody has asked yet", {}, "Not looked up yet"],
  ["asked in vain", { rdap: kept<Registration>(null, NOW) }, "Could not be looked up: no answer, last on 2026-11-20"],
  [
    "an earlier answer, and asked in vain since",
    { rdap: { ...kept<Registration>({ state: "not_registered" }), failedAt: NOW } },
    "The registry says that it is not registered | Looked up on 2026-11-19. Asked again on 2026-11-20, without an answer.",
  ],
])("registration: %s", (_, answers, text) => {
  expect(said(answers, "Registered")).toBe(text);
});

test.each<[string, DomainAnswers, RegExp]>([
  ["a policy", dns(reject), /^Reject: email that fails the check should be refused \| Looked up/],
  ["a policy of the domain above", dns({ ...reject, of: "group.example" }), /refused \(as group\.example says\)/],
  ["a part of its email", dns({ ...reject, percent: 20 }), /refused, for 20 % of it \|/],
  ["a test", dns({ ...reject, percent: 0 }), /refused, as a test only \|/],
  ["reports only", dns({ ...reject, policy: "none" }), /^None: the record only asks for reports\./],
  ["no record", dns({ state: "none" }), /^No record\. Anyone can send email that names this domain/],
  ["several records", dns({ state: "several" }), /^Several records, which count as none\./],
  [
    "a record that cannot be read",
    dns({ state: "malformed" }),
    /^A record that cannot be read, which counts as none\./,
  ],
  ["nobody has asked yet", {}, /^Not looked up yet$/],
])("DMARC: %s", (_, answers, text) => {
  expect(said(answers, "DMARC")).toMatch(text);
});

test("where nobody is connected, that is said", () => {
  const asks = { dns: false, rdap: false };
  expect(said({}, "DMARC", asks)).toBe("Not looked up: lookups are not set up here");
  expect(said({}, "Registered", asks)).toBe("Not looked up: lookups are not set up here");
  expect(view({}, asks)).toMatchObject({ summary: "registration not known, DMARC not known", concerns: [] });
});

test.each<[string, DomainAnswers, string[]]>([
  ["nothing known", {}, []],
  ["a registration of 90 days", since(90), []],
  ["a registration of 89 days", since(89), ["The domain was registered 2 months ago."]],
  ["no registration", rdap({ state: "not_registered" }), ["The registry says that nobody has registered this domain."]],
  ["no date", rdap({ state: "registered", registeredAt: null }), []],
  ["no DMARC", dns({ state: "none" }), []],
  [
    "no DMARC any more",
    dns({ state: "none" }, { hadDmarcAt: "2026-09-01T00:00:00Z" }),
    ["The domain had a DMARC policy, last seen on 2026-09-01, and has none now."],
  ],
])("%s: what a person should look at", (_, answers, concerns) => {
  expect(view(answers).concerns).toEqual(concerns);
});

const OTHER = "The .au registry names a holder of this domain with another ABN.";
const heldBy = (number: string, name: string | null = "Acme Pty Ltd") =>
  rdap({ state: "registered", registeredAt: null, registrant: { name, number } });

test.each<[string, DomainAnswers, string | null, object | undefined, string[]]>([
  ["nobody", rdap({ state: "registered", registeredAt: null }), "51824753556", undefined, []],
  [
    "the payee",
    heldBy("51824753556"),
    "51824753556",
    { value: "Acme Pty Ltd, ABN 51 824 753 556", note: "The payee's own ABN." },
    [],
  ],
  [
    "another business",
    heldBy("53004085616"),
    "51824753556",
    { value: "Acme Pty Ltd, ABN 53 004 085 616", note: "Not the payee's ABN." },
    [OTHER],
  ],
  [
    "the company of the ABN",
    heldBy("004085616", null),
    "53004085616",
    { value: "ACN 004085616", note: "The payee's own ABN." },
    [],
  ],
  ["the trustee of a trust, perhaps", heldBy("004085616"), "51824753556", { note: undefined }, []],
  ["somebody, and the payee's ABN is not known", heldBy("53004085616"), null, { note: undefined }, []],
])("a domain of .au whose holder is %s", (_, answers, abn, fact, concerns) => {
  const shown = view(answers, undefined, abn);
  const holder = shown.facts.find(({ term }) => term === "Holder");
  if (fact === undefined) expect(holder).toBeUndefined();
  else expect(holder).toMatchObject(fact);
  expect(shown.concerns).toEqual(concerns);
});

test("nothing of it says that a domain is safe, verified or passed", () => {
  const all = [since(4_000), dns(reject), { ...since(4_000), ...dns(reject) }, {}, rdap({ state: "no_registry" })];
  for (const answers of all) {
    expect(JSON.stringify(view(answers))).not.toMatch(/\b(safe|verified|trusted|passed|ok|good|genuine)\b/i);
  }
});

test.each<[string, string | undefined]>([
  ["Acme.COM.au", "acme.com.au"],
  ["acme.example.", "acme.example"],
  ["müller.example", "xn--mller-kva.example"],
  ["xn--mller-kva.example", "xn--mller-kva.example"],
  ["_dmarc.acme.example", "_dmarc.acme.example"],
  ["localhost", undefined],
  ["127.0.0.1", undefined],
  ["0x7f.1", undefined],
  ["[::1]", undefined],
  ["acme..example", undefined],
  ["acme.example/../x", undefined],
  ["acme.example?x=1", undefined],
  ["acme.example#x", undefined],
  ["user:pw@acme.example", undefined],
  ["acme.example:8443", undefined],
  ["acme%2eexample.com", undefined],
  [`${"a".repeat(64)}.example`, undefined],
  [`${"a.".repeat(130)}example`, undefined],
  ["", undefined],
])("%s as the DNS knows it", (domain, ascii) => {
  expect(asciiDomain(domain)).toBe(ascii);
});

test.each<[string | null, object | undefined]>([
  ["a@mail.acme.com.au", { domain: "mail.acme.com.au", registered: "acme.com.au" }],
  ["a@acme.example", { domain: "acme.example", registered: "acme.example" }],
  ["a@gmail.com", undefined],
  ["a@bigpond.com", undefined],
  ["", undefined],
  [null, undefined],
])("what is asked about %s", (email, asked) => {
  expect(askedDomain(email)).toEqual(asked);
});
