import { expect, test } from "vitest";
import { createDomainRecords } from "./dns-over-https";

const answering = (answer: unknown, init?: ResponseInit) => {
  const asked: string[] = [];
  const records = createDomainRecords({
    resolverUrl: "https://dns.example/dns-query",
    clock: { now: () => 0 },
    fetch: async ({ url }) => {
      asked.push(url);
      return new Response(typeof answer === "string" ? answer : JSON.stringify(answer), init);
    },
  });
  return { records, asked };
};
const texts = (...data: string[]) => ({
  Status: 0,
  Answer: data.map((each) => ({ name: "a", type: 16, TTL: 1, data: each })),
});

test.each<[string, string, string]>([
  ["one string", '"v=DMARC1; p=none"', "v=DMARC1; p=none"],
  ["several strings are one text", '"v=DMARC1; p=re" "ject"', "v=DMARC1; p=reject"],
  ["strings without a blank between", '"v=DMARC1; ""p=none"', "v=DMARC1; p=none"],
  ["quotes and bytes that are written as escapes", '"a\\"b\\059c\\\\d"', 'a"b;c\\d'],
  ["no quotes, as some resolvers answer", "v=DMARC1; p=none", "v=DMARC1; p=none"],
  ["an empty string", '""', ""],
])("%s", async (_, data, text) => {
  expect(await answering(texts(data)).records.findTexts("_dmarc.acme.example")).toEqual([text]);
});

test("records of other types only lead to those that were asked for", async () => {
  const answer = {
    Status: 0,
    Answer: [
      { type: 5, data: "policies.example." },
      { type: 16, data: '"v=DMARC1; p=none"' },
    ],
  };
  const { records, asked } = answering(answer);
  expect(await records.findTexts("_dmarc.acme.example")).toEqual(["v=DMARC1; p=none"]);
  expect(asked).toEqual(["https://dns.example/dns-query?name=_dmarc.acme.example&type=TXT"]);
});

test("a name without such records and one that is not there are two answers", async () => {
  expect(await answering({ Status: 0 }).records.findTexts("a.example")).toEqual([]);
  expect(await answering({ Status: 3 }).records.findTexts("a.example")).toBeUndefined();
});

test("hosts that take email, and the sign that none does", async () => {
  const hosts = (...data: string[]) => ({ Status: 0, Answer: data.map((each) => ({ type: 15, data: each })) });
  expect(
    await answering(hosts("10 mx1.acme.example.", "20 mx2.acme.example")).records.findMailHosts("a.example"),
  ).toEqual(["mx1.acme.example", "mx2.acme.example"]);
  expect(await answering(hosts("0 .")).records.findMailHosts("a.example")).toEqual([""]);
});

test.each<[string, unknown, ResponseInit | undefined, string]>([
  ["SERVFAIL", { Status: 2 }, undefined, "unavailable"],
  ["REFUSED", { Status: 5 }, undefined, "unavailable"],
  ["HTTP 429", {}, { status: 429 }, "rate_limited"],
  ["HTTP 503", {}, { status: 503 }, "unavailable"],
  ["no JSON", "<html>", undefined, "malformed"],
  ["JSON of another shape", { answers: [] }, undefined, "malformed"],
  ["too much", `{"Status":0,"Comment":"${"a".repeat(70_000)}"}`, undefined, "malformed"],
])("%s is no answer", async (_, answer, init, kind) => {
  await expect(answering(answer, init).records.findTexts("a.example")).rejects.toMatchObject({ party: "dns", kind });
});
