import type { Fetch } from "~/adapters/http-client";
import { readLimitedText } from "~/adapters/read-limited-text";
import { toHex } from "~/kernel/encodings";
import { normalizeText } from "~/kernel/text";
import type { BreachedPasswords } from "~/ports/breached-passwords";
import type { Log } from "~/services";

const DEFAULT_TIMEOUT_MS = 1_000;
const PREFIX_LENGTH = 5;
/** A padded answer holds at most about a thousand lines of 40 characters. */
const MAX_ANSWER_BYTES = 256 * 1024;

type Options = {
  /** Without a trailing slash: "https://api.pwnedpasswords.com/range". */
  baseUrl: string;
  fetch: Fetch;
  log: Log;
  timeoutMs?: number;
};

/**
 * The range interface of "Pwned Passwords" (haveibeenpwned.com/API/v3#PwnedPasswords): it is sent five of the forty
 * hexadecimal digits of the password's SHA-1, and answers every known rest, `SUFFIX:count` by lines. Padding hides from
 * an onlooker how many there are; its lines count 0.
 */
export function createBreachedRange(options: Options): BreachedPasswords {
  const { baseUrl, fetch, log, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  return {
    async isBreached(password) {
      const bytes = new TextEncoder().encode(normalizeText(password, "NFKC"));
      const digest = toHex(new Uint8Array(await crypto.subtle.digest("SHA-1", bytes))).toUpperCase();
      const suffix = digest.slice(PREFIX_LENGTH);
      try {
        const request = new Request(`${baseUrl}/${digest.slice(0, PREFIX_LENGTH)}`, {
          headers: { "Add-Padding": "true" },
          redirect: "manual",
          signal: AbortSignal.timeout(timeoutMs),
        });
        const response = await fetch(request);
        const answer = await readLimitedText(response, MAX_ANSWER_BYTES);
        if (!response.ok || "problem" in answer) throw new Error(`answered ${response.status}`);
        return answer.text.split(/\r?\n/).some((line) => {
          const [known, count] = line.split(":");
          return known === suffix && Number(count) > 0;
        });
      } catch (error) {
        log.warn("breached_passwords.unavailable", { error: String(error) });
        return false;
      }
    },
  };
}

/** Where no service is configured: only the list that ships is asked. */
export const noBreachedPasswords: BreachedPasswords = { isBreached: async () => false };
