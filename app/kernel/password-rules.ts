import { normalizeText } from "./normalize";

/** What a password must be (specification, section 5). Counted and matched as it is hashed: in NFKC, by code point. */

export const MIN_PASSWORD_LENGTH = 8;

/** Longer ones cost time and add nothing. */
const MAX_PASSWORD_LENGTH = 200;

export const passwordLength = (password: string): number => [...normalizeText(password, "NFKC")].length;

type Rule = { message: string; holds: (password: string) => boolean };

const PASSWORD_RULES: readonly Rule[] = [
  {
    message: "Password must be at least 8 characters long",
    holds: (password) => passwordLength(password) >= MIN_PASSWORD_LENGTH,
  },
  {
    message: "Password must be at most 200 characters long",
    holds: (password) => passwordLength(password) <= MAX_PASSWORD_LENGTH,
  },
  { message: "Password must contain at least one uppercase letter", holds: has(/\p{Lu}/u) },
  { message: "Password must contain at least one lowercase letter", holds: has(/\p{Ll}/u) },
  { message: "Password must contain at least one number", holds: has(/\p{Nd}/u) },
  { message: "Password must contain at least one special character", holds: has(/[^\p{L}\p{N}]/u) },
];

/** The sentences of every rule a new password breaks, in the order they are shown. */
export function brokenPasswordRules(password: string): string[] {
  return PASSWORD_RULES.filter((rule) => !rule.holds(password)).map((rule) => rule.message);
}

function has(pattern: RegExp) {
  return (password: string) => pattern.test(password.normalize("NFKC"));
}
