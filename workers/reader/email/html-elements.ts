/** The elements of HTML by how mail programs show them, and what their attributes say of it. */

export const VOID = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);

export const BLOCKS = new Set(
  "address article aside blockquote body caption center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr ul".split(
    " ",
  ),
);

/** Elements that start a new row, even where blocks side by side serve as cells. */
export const ROWS = new Set(["br", "hr", "li", "ol", "p", "table", "tr", "ul"]);

export const NOT_SHOWN = new Set([
  "script",
  "style",
  "title",
  "template",
  "noscript",
  "object",
  "iframe",
  "svg",
  "select",
  "datalist",
  "textarea",
  "xml",
  "canvas",
  "video",
  "audio",
  "noembed",
  "progress",
  "meter",
  "noframes",
]);

/** Elements whose content is displayed but not read here. */
export const PICTURES = new Set([
  "img",
  "svg",
  "object",
  "iframe",
  "embed",
  "canvas",
  "video",
  "input",
  "textarea",
  "select",
  "progress",
  "meter",
]);

/** Attributes whose words are shown in place of an element, or beside it. */
export const WORDED = [
  "alt",
  "title",
  "value",
  "placeholder",
  "label",
  "srcdoc",
  "aria-label",
  "summary",
  "string",
  "o:title",
];

/** The address of a picture that is fetched when the message is opened. */
export const REMOTE = /^\s*(?:https?:)?\/\/|url\(\s*["']?(?:https?:)?\/\//i;

/** These elements show their words in a different place or size than the surrounding words. */
export const MOVED = new Set(["ruby", "rt", "rp", "sup", "sub", "marquee", "math", "button"]);

/** Deleted or struck-out words. */
export const STRUCK = new Set(["del", "s", "strike"]);

export const numberIn = (attributes: ReadonlyMap<string, string>, name: string): number | undefined => {
  const [figure] = /^\s*-?\d{1,12}/.exec(attributes.get(name) ?? "") ?? [];
  return figure === undefined ? undefined : Number(figure);
};

export const isDarkOnly = (attributes: ReadonlyMap<string, string>) =>
  /^\s*(?:only\s+)?dark/i.test(attributes.get("content") ?? "");

export const isRightToLeft = (attributes: ReadonlyMap<string, string>) => /rtl/i.test(attributes.get("dir") ?? "");

/** An invisible tracking pixel. */
export const isDot = (attributes: ReadonlyMap<string, string>) =>
  ["width", "height"].some((side) => Number.parseFloat(attributes.get(side) ?? "") <= 2);

/** A spacer, a tracking pixel or an icon. A wide, flat image may contain a line of text. */
export function isTiny(attributes: ReadonlyMap<string, string>): boolean {
  const [width = 100, height = 100] = ["width", "height"].map((side) => {
    const figure = Number.parseFloat(attributes.get(side) ?? "");
    return Number.isNaN(figure) ? undefined : figure;
  });
  return Math.min(width, height) <= 6 || (width <= 40 && height <= 40);
}
