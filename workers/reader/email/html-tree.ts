import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, Parser, type Token } from "parse5";
import { CannotRead } from "../limits";

/** The tree that browsers build of a message's HTML, and what its elements are. */

export type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;

export type Tree = {
  root: Node;
  /** Elements that an end tag inside them leaves open, although it ends one around them: programs differ in where they end. */
  contested: ReadonlySet<Node>;
  /** Programs differ in which tags are tags: a drawing has elements whose content is no markup elsewhere. */
  isMixed: boolean;
  /** What follows a tag that never ends. Browsers drop it. */
  dropped: string;
};

/** No browser nests elements deeper. */
const DEEPEST = 512;
/** Start tags, and elements that are opened for them. */
const MOST_OPENED = 60_000;

/** Elements whose content is not markup, except in drawings. */
const RAW = new Set(["style", "script", "title", "textarea", "iframe", "noembed", "noframes", "xmp"]);

const nameOf = (node: Node | undefined): string => (node && "tagName" in node ? node.tagName : "");

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  readonly contested = new Set<Node>();
  isMixed = false;
  endOfTags = 0;
  private opened = 0;

  override onItemPush(node: DefaultTreeAdapterTypes.ParentNode, tag: number, isTop: boolean): void {
    super.onItemPush(node, tag, isTop);
    this.count();
  }

  private count(): void {
    this.opened += 1;
    if (this.openElements.depth > DEEPEST || this.opened > MOST_OPENED) throw new CannotRead("too_slow");
  }

  override onStartTag(token: Token.TagToken): void {
    this.count();
    this.endOfTags = this.tokenizer.preprocessor.offset + 1;
    this.isMixed ||= RAW.has(nameOf(this.openElements.current));
    super.onStartTag(token);
  }

  override onEndTag(token: Token.TagToken): void {
    this.endOfTags = this.tokenizer.preprocessor.offset + 1;
    const { openElements: open } = this;
    const ended: DefaultTreeAdapterTypes.ParentNode[] = [];
    for (let at = open.stackTop; at > 0; at = open.slotBelow(at)) {
      const node = open.items[at];
      if (node) ended.push(node);
      if (nameOf(node) === token.tagName) break;
    }
    super.onEndTag(token);
    if (nameOf(ended.at(-1)) !== token.tagName) return;
    this.isMixed ||= ended.slice(0, -1).some((node) => RAW.has(nameOf(node)));
    for (const node of ended) if ("tagName" in node && open.contains(node)) this.contested.add(node);
  }
}

/** @throws CannotRead if it is nested more deeply than browsers nest, or has too many elements */
export function parseHtml(html: string): Tree {
  const parser = new BoundedParser({ scriptingEnabled: false });
  parser.tokenizer.write(html, true);
  const { document: root, contested, isMixed } = parser;
  const [dropped = ""] = /<\/?[a-z].*$/is.exec(html.slice(parser.endOfTags).replace(/<!--.*?(?:-->|$)/gs, "")) ?? [];
  return { root, contested, isMixed, dropped };
}

export const childrenOf = (node: Node): readonly Node[] =>
  "content" in node ? node.content.childNodes : "childNodes" in node ? node.childNodes : [];

/** A node and all that is in it, in the order of the source. */
export function* nodesIn(root: Node): Generator<Node> {
  const rest = [root];
  for (let node = rest.pop(); node; node = rest.pop()) {
    yield node;
    const children = childrenOf(node);
    for (let at = children.length - 1; at >= 0; at -= 1) rest.push(children[at] as Node);
  }
}

export const isElement = (node: Node): node is Element => "tagName" in node;

export const textOf = (root: Node): string =>
  [...nodesIn(root)].map((node) => ("value" in node ? node.value : "")).join("");

export type Attributes = ReadonlyMap<string, string>;
export const attributesOf = ({ attrs }: Element): Attributes => new Map(attrs.map(({ name, value }) => [name, value]));

const namesOf = (names: string): ReadonlySet<string> => new Set(names.split(" "));

export const BLOCKS = namesOf(
  "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search section summary table tbody tfoot thead tr ul xmp",
);

/** Elements that start a new row, even where blocks side by side serve as cells. */
export const ROWS = namesOf("br hr li ol p table tr ul");

/** Parts of a table: each is at least as large as its words. */
export const TABLES = namesOf("table thead tbody tfoot tr td th caption");

/** Elements that have no words of their own. */
export const EMPTY = namesOf("area base br col embed hr img input link meta source track wbr");

export const NOT_SHOWN = namesOf(
  "datalist iframe meter noembed noframes progress script select style svg template textarea title",
);

/** Elements whose content is shown by programs that do not know them, or run no scripts, and hidden by others. */
export const PERHAPS_SHOWN = namesOf("audio canvas details dialog noscript object video xml");

/** Elements whose content is displayed but not read here. */
export const PICTURES = namesOf(
  "canvas embed frameset iframe img input meter object progress select svg textarea video",
);

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
export const MOVED = namesOf("button marquee math rp rt ruby sub sup");

/** Deleted or struck-out words. */
export const STRUCK = namesOf("del s strike");

export const numberIn = (attributes: Attributes, name: string): number | undefined => {
  const [figure] = /^\s*-?\d{1,12}/.exec(attributes.get(name) ?? "") ?? [];
  return figure === undefined ? undefined : Number(figure);
};

export const isDarkOnly = (attributes: Attributes) => /^\s*(?:only\s+)?dark/i.test(attributes.get("content") ?? "");

export const isRightToLeft = (attributes: Attributes) => /rtl/i.test(attributes.get("dir") ?? "");

/** An invisible tracking pixel. */
export const isDot = (attributes: Attributes) =>
  ["width", "height"].some((side) => Number.parseFloat(attributes.get(side) ?? "") <= 2);

/** A spacer, a tracking pixel or an icon. A wide, flat image may contain a line of text. */
export function isTiny(attributes: Attributes): boolean {
  const [width = 100, height = 100] = ["width", "height"].map((side) => {
    const figure = Number.parseFloat(attributes.get(side) ?? "");
    return Number.isNaN(figure) ? undefined : figure;
  });
  return Math.min(width, height) <= 6 || (width <= 40 && height <= 40);
}
