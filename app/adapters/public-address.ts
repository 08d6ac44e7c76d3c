import * as z from "zod";
import { isPublicAddress } from "~/kernel/ip-address";
import type { Fetch } from "./http-client";
import { readLimitedText } from "./read-limited-text";

type Resolver = {
  fetch: Fetch;
  /** A resolver of names over HTTPS that answers JSON: https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/ */
  resolverUrl: string;
};

const MAX_READ_BYTES = 64 * 1024;

/** Types of DNS records: RFC 1035, section 3.2.2, and RFC 3596. */
const RECORDS = { A: 1, AAAA: 28 } as const;
const dnsSchema = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
});

/**
 * Why nothing may be sent to a host that a customer chose; undefined for one whose every address is of the public internet.
 *
 * A Worker's `fetch` resolves the name once more itself and cannot be told which address to use, so a name that changes
 * in between is not caught here; the platform's own network does not reach private addresses either.
 */
export async function findAddressProblem(
  resolver: Resolver,
  host: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await Promise.all(
    Object.entries(RECORDS).map(([name, type]) => resolve(resolver, { host, name, type }, signal)),
  );
  const addresses = found.flat();
  if (addresses.length === 0) return `The name ${host} leads to no address.`;
  if (!addresses.every(isPublicAddress)) return `The name ${host} leads to an address that is not public.`;
  return undefined;
}

type Question = { host: string; name: string; type: number };

async function resolve({ fetch, resolverUrl }: Resolver, { host, name, type }: Question, signal: AbortSignal) {
  const url = `${resolverUrl}?${new URLSearchParams({ name: host, type: name })}`;
  const response = await fetch(new Request(url, { headers: { accept: "application/dns-json" }, signal }));
  const read = await readLimitedText(response, MAX_READ_BYTES);
  const parsed = dnsSchema.safeParse("text" in read && response.ok ? JSON.parse(read.text) : undefined);
  if (!parsed.success) throw new Error("the resolver gave no answer");
  return (parsed.data.Answer ?? []).flatMap((answer) => (answer.type === type ? [answer.data] : []));
}
