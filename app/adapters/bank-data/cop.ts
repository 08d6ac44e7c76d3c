import * as z from "zod";
import { UpstreamError } from "~/kernel/app-error";
import { cleanLine, isStorable } from "~/kernel/text";
import type { InstantAnswer, InstantBankData, InstantProblem, InstantQuestion } from "~/ports/instant-bank-data";
import { createHttpClient, type Reached } from "../http-client";

const PARTY = "cop";
/** A person waits for this page. */
const TIMEOUT_MS = 8_000;
/** An answer is a name and a few words. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** Documented codes that are answers, not failures. */
const ANSWERS: Readonly<Record<string, InstantAnswer>> = {
  ZCOPR00: unable("bank_not_confirmed"),
  ZCOPR01: unable("bsb_not_found"),
  ZCOPR02: { verdict: "account_not_found", name: null },
  ZCOPR04: unable("account_limit"),
  ZCOPR05: unable("requester_limit"),
  ZCOPR06: unable("account_limit"),
  ZCOPR07: unable("requester_limit"),
};

/** Refusals about our own access or address, which an operator can fix, and never about the account. */
const OWN_TROUBLE: ReadonlySet<number> = new Set([403, 404, 405]);

/** Strict about the verdict and the name, which decide; lenient about other fields and about `data` around them. */
const answerSchema = z.preprocess(
  (body) => (isObject(body) && "outcome" in body ? { data: body } : body),
  z.object({
    data: z.object({
      outcome: z.object({
        result: z.enum(["match", "close_match", "no_match", "account_closed"]),
        match_name: z.string().max(1_000).refine(isStorable).nullish(),
      }),
      insights: z.object({ is_joint: z.boolean().nullish() }).nullish().catch(undefined),
      uid: z.string().nullish(),
    }),
  }),
);

const errorSchema = z.preprocess(
  (body) => (isObject(body) && !("errors" in body) ? { errors: [body] } : body),
  z.object({ errors: z.array(z.object({ code: z.string().max(40).nullish(), title: z.string().nullish() })).min(1) }),
);

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Confirmation of Payee through Zepto's API (`POST /cop/account/validate`, version 20260101, published as OpenAPI). A
 * look-up is never retried automatically, because the provider requires a new `uid` for each attempt. Its API has no
 * field for the purpose.
 */
export function createCopBankData(
  options: Reached & {
    /** Without a trailing slash, e.g. "https://api.zeptopayments.com". */
    baseUrl: string;
    token: string;
    /** The API version, e.g. "20260101". */
    apiVersion: string;
  },
): InstantBankData {
  const { baseUrl, token, apiVersion, fetch, clock, timeoutMs = TIMEOUT_MS } = options;
  const client = createHttpClient({
    party: PARTY,
    fetch,
    clock,
    timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    describeError,
    classify: ({ status, code }) => (!code && OWN_TROUBLE.has(status) ? "unavailable" : undefined),
  });
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "zepto-api-version": apiVersion,
  };
  return {
    party: PARTY,
    service: "Zepto",
    async lookUp(question) {
      const call = { method: "POST", url: `${baseUrl}/cop/account/validate`, headers, body: toBody(question) } as const;
      try {
        return toAnswer(question, await client.callJson(call, answerSchema));
      } catch (error) {
        const answer = error instanceof UpstreamError ? answerOfRefusal(error) : undefined;
        if (answer) return answer;
        throw error;
      }
    },
  };
}

function unable(problem: InstantProblem): InstantAnswer {
  return { verdict: "unable", problem };
}

const toBody = ({ lookUpId, requesterId, accountName, bsb, accountNumber }: InstantQuestion): string =>
  JSON.stringify({
    uid: lookUpId,
    account_identifier: { type: "bban", value: `${bsb}-${accountNumber}` },
    party_name: accountName,
    requester: { id: requesterId },
  });

function describeError(body: unknown): { code?: string; detail?: string } {
  const [first] = errorSchema.safeParse(body).data?.errors ?? [];
  return { code: first?.code ?? undefined, detail: first?.title ?? undefined };
}

/** What a refusal says about the account; undefined if it says nothing about it. */
function answerOfRefusal({ kind, options }: UpstreamError): InstantAnswer | undefined {
  if (kind !== "rejected") return undefined;
  const { code } = options;
  if (code === undefined) return unable("details_not_accepted");
  return Object.hasOwn(ANSWERS, code) ? ANSWERS[code] : unable("bank_unable_now");
}

/** A joint account is answered with one of its holders. */
const AND_OTHERS = /\s+and others$/i;

function toAnswer({ lookUpId }: InstantQuestion, { data }: z.infer<typeof answerSchema>): InstantAnswer {
  const { outcome, insights, uid } = data;
  if (uid && uid !== lookUpId) throw new UpstreamError(PARTY, "wrong_tenant", "the answer is about another look-up");
  const given = cleanLine(outcome.match_name ?? "");
  const name = insights?.is_joint === false ? given : given.replace(AND_OTHERS, "");
  return { verdict: outcome.result, name: name === "" ? null : name };
}
