import { type Fetch, readLimitedText } from "~/adapters/http-client";
import { toHex } from "~/kernel/encodings";
import { normalizeText } from "~/kernel/text";
import type { BreachedPasswords } from "~/ports/breached-passwords";
import type { Log } from "~/services-and-actor";

const DEFAULT_TIMEOUT_MS = 1_000;
const PREFIX_LENGTH = 5;
/** A padded answer has about a thousand lines of 40 characters at most. */
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * The range API of "Pwned Passwords" (haveibeenpwned.com/API/v3#PwnedPasswords). It receives the first five hexadecimal
 * digits of the password's SHA-1 and returns every known suffix as `SUFFIX:count` lines. Padding lines, with count 0,
 * hide the real number from an onlooker.
 */
export function createBreachedRange(options: {
  /** Without a trailing slash: "https://api.pwnedpasswords.com/range". */
  baseUrl: string;
  fetch: Fetch;
  log: Log;
  timeoutMs?: number;
}): BreachedPasswords {
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

/** If no service is configured, only the bundled list is checked. */
export const noBreachedPasswords: BreachedPasswords = { isBreached: async () => false };
