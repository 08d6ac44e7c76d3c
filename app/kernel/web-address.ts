/** Endings that people take for a web address when they are after a dot. Not all there are: those that fraud uses. */
const ENDINGS =
  "com|net|org|info|biz|xyz|online|site|shop|store|app|dev|link|click|top|live|icu|io|co|au|uk|nz|us|me|ru|cn|tk|ly";
/** After a dot with blanks around it only these count: "Smith & Co. Au" is no address. */
const PLAIN_ENDINGS = "com|net|org|info|biz|xyz|online";

const ADDRESS = new RegExp(
  [
    "://",
    "www\\.",
    `[\\p{L}\\p{N}]\\.(?:${ENDINGS})(?![\\p{L}\\p{N}])`,
    `[\\p{L}\\p{N}]\\s?[.,]\\s?(?:${PLAIN_ENDINGS})(?![\\p{L}\\p{N}])`,
    `[(\\[\\s]dot[)\\]\\s]\\s?(?:${ENDINGS})(?![\\p{L}\\p{N}])`,
  ].join("|"),
  "iu",
);
const OTHER_DOTS = /[．。｡․]/gu;

/**
 * Whether a name holds something that reads as a web address, also one written to be overlooked: `visit
 * commbank-safe.com`, `commbank-safe . com`, `commbank-safe (dot) com`.
 */
export const holdsWebAddress = (name: string): boolean => ADDRESS.test(name.replace(OTHER_DOTS, "."));
