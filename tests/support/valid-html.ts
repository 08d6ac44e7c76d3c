import { HtmlValidate, StaticConfigLoader } from "html-validate";

/** Makes its rules and elements once: the library would make them again for every page, which takes as long as a page. */
class SameForEveryPage extends StaticConfigLoader {
  private made: ReturnType<StaticConfigLoader["getConfigFor"]> | undefined;
  override getConfigFor(page: string) {
    this.made ??= super.getConfigFor(page);
    return this.made;
  }
}

const validator = new HtmlValidate(new SameForEveryPage({ root: true, extends: ["html-validate:standard"] }));

/** A list that must be chosen from begins with an option that is not a choice (HTML, the select element). */
const REQUIRED_SELECT = /<select(?=[^>]*\srequired)[^>]*>\s*<option(?<attributes>[^>]*)>(?<text>[^<]*)/g;

const IDS = /\sid="(?<id>[^"]*)"/g;
const LINKS_INTO_THE_PAGE = /\shref="#(?<id>[^"]*)"/g;
/** In the body a browser still obeys it, but the document is not valid (HTML, the meta element). */
const META_IN_THE_BODY = /<body[\s\S]*<meta(?=[^>]*\shttp-equiv)[^>]*>/i;

/** Links to a part of the page that does not exist, one line each. */
export function findDeadLinks(html: string): string[] {
  const ids = new Set([...html.matchAll(IDS)].map(({ groups }) => groups?.id));
  const targets = [...html.matchAll(LINKS_INTO_THE_PAGE)].map(({ groups }) => groups?.id);
  return targets.filter((id) => !ids.has(id)).map((id) => `a link leads to #${id}, which is not on the page`);
}

/** What the rules do not have. */
function* ownFaults(html: string) {
  for (const { groups } of html.matchAll(LINKS_INTO_THE_PAGE)) {
    if (/[[\]\s]/.test(groups?.id ?? "")) yield `#${groups?.id} cannot stand in an address`;
  }
  if (META_IN_THE_BODY.test(html)) yield "the body holds a meta element that is about the whole page";
  for (const { groups } of html.matchAll(REQUIRED_SELECT)) {
    const { attributes = "", text = "" } = groups ?? {};
    if (text !== "" && !attributes.includes('value=""')) yield `a required select begins with "${text}"`;
  }
}

/** @returns one line a fault of the page as the server sent it; none when it is valid */
export async function findInvalidHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  const faults = results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
  faults.push(...ownFaults(html));
  const after = html.split(/<\/html>/i)[1]?.trim();
  return after ? [...faults, `after the end: ${after.slice(0, 80)}`] : faults;
}

/**
 * The page without what a person reads and without values: of two pages with one skeleton, both are valid or neither.
 * Ids and what refers to them stay.
 */
export const skeletonOf = (html: string): string =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, "<script></script>")
    .replace(/(>)[^<>]*[^<>\s][^<>]*(?=<)/g, "$1x")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "")
    .replace(/\s(?:value|title|content|nonce|aria-label|href="[^#]|datetime)[^"]*"[^"]*"/gi, "");
