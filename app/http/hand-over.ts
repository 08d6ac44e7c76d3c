/**
 * Marks what JSON cannot write: typed values, numbers such as NaN, undefined items of a list, values that arrive later.
 */
const BEYOND_JSON = /\["|[[,]-[123467](?=[,\]])|:-[12346](?=[,}])|\n./;

/**
 * True if JSON says the same as this text in Remix's encoding (turbo-stream), in which a list of values refers to
 * itself by number. A string or a number that looks like one of the exceptions counts as one.
 */
export const isJson = (encoded: string): boolean => !BEYOND_JSON.test(encoded);
