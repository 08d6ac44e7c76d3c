import * as z from "zod";
import { UpstreamError } from "~/kernel/app-error";
import type { DomainRecords } from "~/ports/domains";
import { createHttpClient, type Reached } from "../http-client";

/** Types of DNS records: RFC 1035, section 3.2.2, and RFC 3596. */
export const RECORDS = { A: 1, MX: 15, TXT: 16, AAAA: 28 } as const;

/**
 * The JSON that resolvers over HTTPS return:
 * https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
 */
export const dnsSchema = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
});

/** The records of the requested type; CNAME records that lead to them are left out. */
export const recordsIn = ({ Answer = [] }: z.infer<typeof dnsSchema>, type: number): string[] =>
  Answer.flatMap((each) => (each.type === type ? [each.data] : []));

const PARTY = "dns";
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Codes of answers: RFC 1035, section 4.1.1. */
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

export type DnsOptions = Reached & { resolverUrl: string };

/** Queries a DNS resolver over HTTPS. If the resolver itself failed (SERVFAIL, REFUSED), that counts as no answer. */
export function createDomainRecords({ resolverUrl, fetch, clock, timeoutMs = TIMEOUT_MS }: DnsOptions): DomainRecords {
  const client = createHttpClient({ party: PARTY, fetch, clock, timeoutMs, maxAnswerBytes: MAX_ANSWER_BYTES });
  const ask = async (name: string, type: keyof typeof RECORDS): Promise<string[] | undefined> => {
    const url = `${resolverUrl}?${new URLSearchParams({ name, type })}`;
    const answer = await client.callJson(
      { method: "GET", url, headers: { accept: "application/dns-json" } },
      dnsSchema,
    );
    if (answer.Status === NO_SUCH_NAME) return undefined;
    if (answer.Status !== NO_ERROR) throw new UpstreamError(PARTY, "unavailable", `the resolver says ${answer.Status}`);
    return recordsIn(answer, RECORDS[type]);
  };
  return {
    findTexts: async (name) => (await ask(name, "TXT"))?.map(textOf),
    // "10 mx.acme.com.au.": the preference is ignored.
    findMailHosts: async (name) =>
      (await ask(name, "MX"))?.map((data) => data.replace(/^\s*\d+\s+/, "").replace(/\.$/, "")),
  };
}

/**
 * A TXT record is written as strings in quotes, which are one text (RFC 1035, section 5.1; RFC 7208, section 3.3); some
 * resolvers leave the quotes out.
 */
function textOf(data: string): string {
  if (!data.startsWith('"')) return data;
  const strings = data.match(/"(?:[^"\\]|\\.)*"/gs) ?? [];
  return strings.map((each) => each.slice(1, -1).replace(/\\(\d{3}|.)/gs, unescaped)).join("");
}

const unescaped = (_: string, code: string): string =>
  code.length === 1 ? code : String.fromCharCode(Number.parseInt(code, 10));
