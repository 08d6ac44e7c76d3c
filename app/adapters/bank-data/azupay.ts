import * as z from "zod";
import { UpstreamError } from "~/kernel/app-error";
import { cleanLine, isStorable } from "~/kernel/text";
import type {
  InstantAnswer,
  InstantBankData,
  InstantProblem,
  InstantQuestion,
  InstantVerdict,
} from "~/ports/instant-bank-data";
import { createHttpClient, type Reached } from "../http-client";

const PARTY = "azupay";
/** A person waits for this page. */
const TIMEOUT_MS = 8_000;
/** An answer is a name and a few words. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** The provider's codes for its own failure to ask a bank; any other code means that a bank could not answer now. */
const PROBLEMS: Readonly<Record<string, InstantProblem>> = {
  BSBN: "bsb_not_found",
  NCOP: "bank_not_confirmed",
  OOUT: "bank_not_confirmed",
  CNPF: "bank_not_confirmed",
  TMNY: "requester_limit",
};

/** A verdict by its code and by its text. Both are given; if both are known, they agree. */
const BY_CODE: Readonly<Record<string, InstantVerdict>> = { MTCH: "match", CMTC: "close_match", NMTC: "no_match" };
const BY_WORDS: Readonly<Record<string, InstantVerdict>> = {
  match: "match",
  closematch: "close_match",
  nomatch: "no_match",
  accountclosed: "account_closed",
  noaccountfound: "account_not_found",
  accountnotfound: "account_not_found",
};

const answerSchema = z.object({
  accountCheckResultCode: z.string().max(40),
  accountCheckResult: z.string().max(200),
  displayAccountName: z.string().max(1_000).refine(isStorable).nullish(),
  errorReasonCode: z.string().max(40).nullish(),
});

const errorSchema = z.object({
  message: z.string().nullish(),
  details: z
    .object({ failureCode: z.string().max(40).nullish() })
    .nullish()
    .catch(undefined),
});

/** What the API accepts as a name: it refuses surrounding blanks and a single character. */
const ACCOUNT_NAME = /^\S.{0,138}\S$/u;

/**
 * Confirmation of Payee through Azupay's API (`POST /accountCheck`, version 1, published as OpenAPI). A look-up is
 * never retried automatically. The published document does not list the verdict codes, so a verdict whose code and text
 * are both unknown, or contradict each other, counts as no answer.
 */
export function createAzupayBankData(
  options: Reached & {
    /** Without a trailing slash, e.g. "https://api.azupay.com.au/v1". */
    baseUrl: string;
    apiKey: string;
  },
): InstantBankData {
  const { baseUrl, apiKey, fetch, clock, timeoutMs = TIMEOUT_MS } = options;
  const client = createHttpClient({
    party: PARTY,
    fetch,
    clock,
    timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    describeError(body) {
      const { message, details } = errorSchema.safeParse(body).data ?? {};
      return { code: details?.failureCode ?? undefined, detail: message ?? undefined };
    },
    // Only 400 is about the request; 401, 403 and 404 are about our key or address.
    classify: ({ status }) => ([401, 403, 404, 405].includes(status) ? "unavailable" : undefined),
  });
  const headers = { authorization: apiKey, "content-type": "application/json" };
  return {
    party: PARTY,
    service: "Azupay",
    async lookUp(question) {
      if (!ACCOUNT_NAME.test(question.accountName)) return unable("details_not_accepted");
      const call = { method: "POST", url: `${baseUrl}/accountCheck`, headers, body: toBody(question) } as const;
      try {
        return toAnswer(await client.callJson(call, answerSchema));
      } catch (error) {
        if (error instanceof UpstreamError && error.kind === "rejected") return unable("details_not_accepted");
        throw error;
      }
    },
  };
}

const unable = (problem: InstantProblem): InstantAnswer => ({ verdict: "unable", problem });

const toBody = ({ lookUpId, requesterId, accountName, bsb, accountNumber, purpose }: InstantQuestion): string =>
  JSON.stringify({
    accountCheckId: lookUpId,
    bsb,
    accountNumber,
    accountName,
    purposeCode: purpose,
    // A session has 34 characters at most: an id without its hyphens has 32.
    additionalDetails: { endUserId: requesterId, endUserSessionId: lookUpId.replaceAll("-", "").slice(0, 34) },
  });

function toAnswer(answer: z.infer<typeof answerSchema>): InstantAnswer {
  const { accountCheckResultCode: code, accountCheckResult: words, displayAccountName, errorReasonCode } = answer;
  if (errorReasonCode) return unable(PROBLEMS[errorReasonCode] ?? "bank_unable_now");
  const byCode = BY_CODE[code];
  const byWords = BY_WORDS[words.toLowerCase().replace(/[^a-z]/g, "")];
  const verdict = byCode ?? byWords;
  if (!verdict || (byCode && byWords && byCode !== byWords))
    throw new UpstreamError(PARTY, "malformed", `the verdict "${code}" cannot be read`);
  const name = cleanLine(displayAccountName ?? "");
  return { verdict, name: name === "" ? null : name };
}
