import { HtmlValidate, StaticConfigLoader } from "html-validate";

const validator = new HtmlValidate(new StaticConfigLoader({ root: true, extends: ["html-validate:standard"] }));

/** A list that must be chosen from begins with an option that is no choice (HTML, the select element). */
const REQUIRED_SELECT = /<select(?=[^>]*\srequired)[^>]*>\s*<option(?<attributes>[^>]*)>(?<text>[^<]*)/g;

/** @returns one line a fault of the page as the server sent it; none when it is valid */
export async function findInvalidHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  const faults = results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${line}:${column} ${ruleId}: ${message}`),
  );
  for (const { groups } of html.matchAll(REQUIRED_SELECT)) {
    const { attributes = "", text = "" } = groups ?? {};
    if (text !== "" && !attributes.includes('value=""')) faults.push(`a required select begins with "${text}"`);
  }
  const after = html.split(/<\/html>/i)[1]?.trim();
  return after ? [...faults, `after the end: ${after.slice(0, 80)}`] : faults;
}
