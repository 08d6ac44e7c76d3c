/** What a route tells the root about its page: `export const handle: PageHandle = { scripts: false }`. */
export interface PageHandle {
  /** False for a page whose every part works as plain HTML: it is sent without any script. */
  scripts?: false;
}
