import { expect, test } from "vitest";
import { mask } from "../../workers/log";
import { parseAbn } from "./abn";
import { AppError } from "./app-error";
import { parseAccountNumber, parseBsb } from "./bank-account";
import { splitDomain } from "./domain-name";
import { emailDomain, isEmail, normalizeEmail } from "./email";
import { parseAud } from "./money";
import { cleanLine, cleanText, clip, foldDiacritics, isStorable, searchTerms } from "./text";

/**
 * Code that reads a stranger's text must take time proportional to its length: a long text must not stop the Worker.
 */

const LENGTH = 100_000;
/** Quadratic code would take ten seconds or more. */
const LIMIT_MS = 1_500;

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  cleanLine,
  cleanText,
  clip: (text) => clip(text, 10),
  foldDiacritics,
  isStorable,
  searchTerms,
  normalizeEmail,
  isEmail,
  emailDomain,
  splitDomain,
  parseAbn,
  parseAccountNumber,
  parseAud,
  parseBsb,
  mask,
  AppError: (text) => new AppError("INVALID_INPUT", text),
};

const PARTS = [
  " ",
  "\n",
  " \n",
  "\t ",
  "a",
  "a.",
  "a@",
  "-",
  "0",
  "1,",
  "1,111",
  "e\u0301",
  "\u0301\u0323",
  "\u200b",
  "$",
];

test.each(Object.keys(READERS))("%s takes time in proportion to the length of its text", (name) => {
  for (const part of PARTS) {
    const text = `${part.repeat(LENGTH / part.length)}x`;
    // Measures processor time, so that a busy machine does not affect the result.
    const before = process.cpuUsage();
    READERS[name]?.(text);
    const took = process.cpuUsage(before).user / 1_000;
    expect(took, `${name} of ${JSON.stringify(part)} took ${took} ms`).toBeLessThan(LIMIT_MS);
  }
});
