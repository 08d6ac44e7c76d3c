import type { Block, CssNode, Selector as SelectorNode } from "css-tree";
import parse from "css-tree/parser";
import { Comment, tokenize } from "css-tree/tokenizer";
import { ident } from "css-tree/utils";
import { CannotRead } from "../limits";
import { type Attributes, attributesOf, type Element, isElement, type Node, nodesIn, textOf } from "./html-tree";

/** The rules of a message's style sheets, and which of them apply to an element: for sure, or in some programs. */

export type Declaration = { key: string; value: string; isImportant: boolean };
export type Declared = ReadonlyMap<string, string>;

/** What stands together in a rule or an attribute, and what wins of it. */
export type Part = { declarations: readonly Declaration[]; declared: Declared };

export type Rule = Part & {
  selector: Selector;
  /** For certain screens, or programs that know the rule around it. */
  media: "" | "dark" | "other";
};

export type StyleSheets = {
  /** In the order in which they override each other. */
  rules: readonly Rule[];
  /** How much there is to compare with each element. */
  cost: number;
  /** Fonts that are embedded or downloaded: which shape they paint for a digit is unknown. */
  fonts: readonly string[];
  /** Styles are fetched when the message is opened, or there are too many: what they do is unknown. */
  isUnknown: boolean;
  /** Marks of lists that the message defines. */
  hasOwnMarks: boolean;
};

const MAX_RULES = 2_000;
/** Blocks and brackets in each other. */
const DEEPEST = 100;
/** Names and signs. Nobody writes more, and each element is compared with it. */
const MOST_IN_SELECTOR = 1_000;
/** In characters. A value is examined once for each element that its rule matches. */
export const LONGEST_VALUE = 5_000;

const OPTIONS = { parseValue: false, parseAtrulePrelude: false };

function parseCss(css: string, context: "stylesheet" | "declarationList"): CssNode {
  let [depth, deepest] = [0, 0];
  for (const [sign] of css.matchAll(/[[({\])}]/g)) {
    depth = Math.max(0, depth + (/[[({]/.test(sign) ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  if (deepest > DEEPEST) throw new CannotRead("too_slow");
  return parse(css, { ...OPTIONS, context });
}

/** Without comments, and with the letters that are written as their numbers. */
function plain(css: string): string {
  if (!/[\\/]/.test(css)) return css.trim();
  let text = "";
  tokenize(css, (type, start, end) => {
    text += type === Comment ? " " : ident.decode(css.slice(start, end));
  });
  return text.trim();
}

const childrenOf = (node: CssNode | null): CssNode[] =>
  node && "children" in node && node.children ? [...node.children] : [];

/** Declarations with a mark that is none are dropped, as in browsers. */
const declarationsIn = (nodes: readonly CssNode[]): Declaration[] =>
  nodes.flatMap((node) => {
    // After a block that is none.
    if (node.type === "Raw" && node.value.includes("}")) return declarationsOf(/[^}]*$/.exec(node.value)?.[0] ?? "");
    if (node.type !== "Declaration" || typeof node.important === "string" || node.value.type !== "Raw") return [];
    const value = plain(node.value.value.slice(0, LONGEST_VALUE)).replace(/\s+/g, " ");
    return [{ key: plain(node.property).toLowerCase(), value, isImportant: node.important }];
  });

const declarationsOf = (style: string): Declaration[] =>
  style.trim() === "" ? [] : declarationsIn(childrenOf(parseCss(style, "declarationList")));

const partOf = (declarations: readonly Declaration[]): Part => ({ declarations, declared: cascade([declarations]) });

/** What each of these sets besides itself. */
const RESETS: Record<string, readonly string[]> = {
  background: ["background-color", "background-image"],
  font: ["font-size", "font-family"],
  "list-style": ["list-style-type"],
  overflow: ["overflow-x", "overflow-y"],
};

/** What wins among declarations: important ones over others, an element's own over rules, later ones over earlier ones. */
function cascade(parts: readonly (readonly Declaration[])[]): Declared {
  const declared = new Map<string, string>();
  for (const wanted of [false, true]) {
    for (const { key, value, isImportant } of parts.flat()) {
      if (isImportant !== wanted) continue;
      if (key === "all") declared.clear();
      for (const part of RESETS[key] ?? []) declared.delete(part);
      declared.set(key, value);
    }
  }
  return declared;
}

const TRUSTED_SHEET = /^(?:https?:)?\/\/fonts\.(?:googleapis|gstatic)\.com\//i;

export function readStyleSheets(root: Node): StyleSheets {
  const rules: Rule[] = [];
  const fonts: string[] = [];
  const imports: string[] = [];
  let hasOwnMarks = false;

  function readBlock(nodes: readonly CssNode[], selectors: readonly Selector[], media: Rule["media"]): void {
    const part = partOf(declarationsIn(nodes));
    if (part.declarations.length > 0) for (const selector of selectors) rules.push({ ...part, selector, media });
    for (const node of nodes) {
      // Rules in rules are not parsed there.
      if (node.type === "Raw" && selectors.length > 0 && node.value.includes("{"))
        readBlock(childrenOf(parseCss(node.value, "stylesheet")), [], "other");
      // Not every program knows rules in rules.
      if (node.type === "Rule")
        readBlock(childrenOf(node.block), selectorsOf(node.prelude), selectors.length > 0 ? "other" : media);
      else if (node.type === "Atrule") {
        const prelude = node.prelude?.type === "Raw" ? node.prelude.value : "";
        readAtRule(node.name.toLowerCase(), prelude, node.block, selectors);
      }
    }
  }

  function readAtRule(name: string, prelude: string, block: Block | null, selectors: readonly Selector[]): void {
    if (name === "import") imports.push(/["'(]\s*["']?([^"')\s]+)/.exec(plain(prelude))?.[1] ?? "");
    else if (name === "counter-style") hasOwnMarks = true;
    else if (name === "font-face") {
      const { declared: font } = partOf(declarationsIn(childrenOf(block)));
      const family = (font.get("font-family") ?? "").replace(/["']/g, "").trim().toLowerCase();
      const sources = [...(font.get("src") ?? "").matchAll(/url\(\s*["']?([^"')]*)/gi)].map(([, url = ""]) => url);
      if (family && sources.some((url) => !TRUSTED_SHEET.test(url))) fonts.push(family);
    } else if (!/keyframes$|^(?:page|property|charset|namespace)$/.test(name))
      readBlock(childrenOf(block), selectors, /dark/i.test(prelude) ? "dark" : "other");
  }

  for (const node of nodesIn(root)) {
    if (!isElement(node)) continue;
    const attributes = attributesOf(node);
    if (node.tagName === "link" && /stylesheet/i.test(attributes.get("rel") ?? ""))
      imports.push(attributes.get("href") ?? "");
    if (node.tagName !== "style") continue;
    const media = attributes.get("media") ?? "";
    const isForAll = /^\s*(?:all|screen)?\s*$/i.test(media) && /^(?:text\/css)?$/i.test(attributes.get("type") ?? "");
    readBlock(
      childrenOf(parseCss(textOf(node), "stylesheet")),
      [],
      isForAll ? "" : /dark/i.test(media) ? "dark" : "other",
    );
  }
  const isUnknown = rules.length > MAX_RULES || imports.some((url) => !TRUSTED_SHEET.test(url));
  const sorted = rules.slice(0, MAX_RULES).sort((a, b) => a.selector.weight - b.selector.weight);
  const cost = sorted.reduce((sum, { selector }) => sum + selector.cost, 0);
  return { rules: sorted, cost, fonts, isUnknown, hasOwnMarks };
}

type Selector = {
  /** What it asks of the element, of one around it, of one around that, and so on. */
  parts: readonly (readonly CssNode[])[];
  /** Nothing is asked that some programs do not know. */
  isExact: boolean;
  weight: number;
  /** How much there is to compare with each element. */
  cost: number;
  /** Selects the first letter or line, the mark of a list, or words that the style itself adds. */
  isPseudo: boolean;
  /** Selects only the first letter or line. */
  isFirst: boolean;
};

/** A selector that cannot be parsed may be about any element: browsers drop it, and other programs may not. */
const OF_ANYTHING: Selector = { parts: [[]], isExact: false, weight: 0, cost: 1, isPseudo: false, isFirst: false };

/** Browsers drop a whole list for one selector that they do not know. */
function selectorsOf(prelude: CssNode): Selector[] {
  if (prelude.type !== "SelectorList") return [OF_ANYTHING];
  const nodes = childrenOf(prelude);
  const isKnown = nodes.every((node) => isKnownSelector(childrenOf(node)));
  const selectors = nodes.map((node) => (node.type === "Selector" ? readSelector(node) : OF_ANYTHING));
  return isKnown ? selectors : selectors.map((selector) => ({ ...selector, isExact: false }));
}

const PSEUDO = /^(?:before|after|first-l\w+)$/i;
const KNOWN =
  /^(?:before|after|first-(?:letter|line)|selection|placeholder|marker|hover|active|focus|visited|link|root|empty|(?:first|last|only)-(?:child|of-type)|nth-(?:last-)?(?:child|of-type)|not|checked|disabled|enabled|target)$/i;

const isKnownSelector = (nodes: readonly CssNode[]): boolean =>
  nodes.every((node, at) => {
    const isBetween = nodes[at - 1] && nodes[at - 1]?.type !== "Combinator" && nodes[at + 1];
    if (node.type === "Combinator") return /^[ >+~]$/.test(node.name) && isBetween;
    return !/^Pseudo/.test(node.type) || ("name" in node && KNOWN.test(`${node.name}`));
  });

function readSelector(selector: SelectorNode): Selector {
  const nodes = [...selector.children];
  const parts: CssNode[][] = [[]];
  for (const node of [...nodes].reverse()) {
    if (node.type !== "Combinator") parts.at(-1)?.push(asNamed(node));
    // What stands before an element may be added by the program, and is not looked at.
    else if (/[ >]/.test(node.name)) parts.push([]);
    else break;
  }
  const pseudo = nodes.filter(
    (node) => node.type === "PseudoElementSelector" || (node.type === "PseudoClassSelector" && PSEUDO.test(node.name)),
  );
  const cost = nodes.reduce((sum, node) => sum + costOf(node), 0);
  if (cost > MOST_IN_SELECTOR) throw new CannotRead("too_slow");
  const isPlain = (node: CssNode) =>
    pseudo.includes(node) ||
    /^(?:Type|Class|Id)Selector$/.test(node.type) ||
    (node.type === "Combinator" && node.name === " ");
  return {
    parts,
    isExact: nodes.every(isPlain),
    weight: nodes.reduce((sum, node) => sum + weightOf(node), 0),
    cost: 1 + cost - nodes.length,
    isPseudo: pseudo.length > 0,
    isFirst: pseudo.some((node) => "name" in node && /^first-l/i.test(`${node.name}`)),
  };
}

/** With the names of classes and ids as elements have them, in `Styled`. */
function asNamed(node: CssNode): CssNode {
  if (node.type === "ClassSelector") return { ...node, name: `.${ident.decode(node.name)}` };
  if (node.type === "IdSelector") return { ...node, name: `#${ident.decode(node.name)}` };
  if (node.type === "TypeSelector")
    return { ...node, name: ident.decode(node.name).replace(/^.*\|/, "").toLowerCase() };
  return node;
}

const costOf = (node: CssNode): number => childrenOf(node).reduce((sum, child) => sum + costOf(child), 1);

/** A hundred of the lesser count less than one of the greater, in any message. */
const [ID, CLASS, NAME] = [1_000_000, 1_000, 1];

function weightOf(node: CssNode): number {
  if (node.type === "IdSelector") return ID;
  if (node.type === "ClassSelector" || node.type === "AttributeSelector") return CLASS;
  if (node.type === "TypeSelector") return node.name === "*" ? 0 : NAME;
  if (node.type === "PseudoElementSelector") return NAME;
  if (node.type !== "PseudoClassSelector") return 0;
  if (/^where$/i.test(node.name)) return 0;
  if (!OF_SELECTORS.test(node.name)) return CLASS;
  return Math.max(
    0,
    ...childrenOf(node)
      .flatMap(selectorsOf)
      .map(({ weight }) => weight),
  );
}

/** An element with its classes and its id, as they are written and in small letters. */
export type Styled = {
  tag: string;
  written: ReadonlySet<string>;
  small: ReadonlySet<string>;
  attributes: Attributes;
  around: Styled | undefined;
};

export function styled({ tagName }: Element, attributes: Attributes, around: Styled | undefined): Styled {
  const classes = (attributes.get("class") ?? "").split(/\s+/).map((each) => `.${each}`);
  const written = new Set([...classes, `#${attributes.get("id") ?? ""}`]);
  const small = new Set([...written].map((each) => each.toLowerCase()));
  return { tag: tagName.toLowerCase(), written, small, attributes, around };
}

/** Whether something applies: in no program, in some, in all. */
type Fit = 0 | 1 | 2;
const [NEVER, PERHAPS, SURELY] = [0, 1, 2] as const;

const OF_SELECTORS = /^(?:not|is|where|matches|(?:-\w+-)?any)$/i;
/** What is never so while somebody reads. */
const PASSING = /^(?:hover|active|focus(?:-\w+)?|visited)$/i;

function fitOfNode(node: CssNode, element: Styled): Fit {
  if (node.type === "ClassSelector" || node.type === "IdSelector") {
    // Old modes do not look at the case.
    return element.written.has(node.name) ? SURELY : element.small.has(node.name.toLowerCase()) ? PERHAPS : NEVER;
  }
  if (node.type === "TypeSelector") return node.name === "*" || node.name === element.tag ? SURELY : NEVER;
  if (node.type === "AttributeSelector") {
    const wanted = node.value?.type === "String" ? node.value.value : (node.value?.name ?? "");
    const value = element.attributes.get(node.name.name.toLowerCase());
    return value?.toLowerCase().includes(wanted.toLowerCase()) ? PERHAPS : NEVER;
  }
  if (node.type !== "PseudoClassSelector") return node.type === "PseudoElementSelector" ? SURELY : PERHAPS;
  if (PASSING.test(node.name)) return NEVER;
  if (PSEUDO.test(node.name)) return SURELY;
  if (!OF_SELECTORS.test(node.name)) return PERHAPS;
  const fits = childrenOf(node)
    .flatMap(selectorsOf)
    .map((each) => fitOfSelector(each, element));
  const isNot = /^not$/i.test(node.name);
  return fits.some((each) => (isNot ? each === SURELY : each !== NEVER)) === isNot ? NEVER : PERHAPS;
}

/** Whether a selector is about an element. That something stands directly inside something is not looked at. */
function fitOfSelector({ parts, isExact }: Selector, element: Styled): Fit {
  const reaches = (least: Fit): boolean => {
    let at: Styled | undefined = element;
    for (const [index, part] of parts.entries()) {
      const isFit = (one: Styled) => part.every((node) => fitOfNode(node, one) >= least);
      while (index > 0 && at && !isFit(at)) at = at.around;
      if (!at || !isFit(at)) return false;
      at = at.around;
    }
    return true;
  };
  return isExact && reaches(SURELY) ? SURELY : reaches(PERHAPS) ? PERHAPS : NEVER;
}

export type Applied = {
  /** Rules that are about the element, with those that add words to it, in the order in which they override each other. */
  found: readonly (Rule & { isSure: boolean })[];
  own: Part;
  /** What wins among an element's own declarations and those that are wanted of the rules. */
  declaredBy(wanted: (one: Declaration, rule: Rule & { isSure: boolean }) => boolean): Declared;
};

export function stylesOf(element: Styled, { rules }: StyleSheets): Applied {
  const own = partOf(declarationsOf(element.attributes.get("style") ?? ""));
  const found = rules.flatMap((rule) => {
    const fits = fitOfSelector(rule.selector, element);
    return fits === NEVER ? [] : [{ ...rule, isSure: fits === SURELY && rule.media === "" && !rule.selector.isPseudo }];
  });
  const about = found.filter(({ selector }) => !selector.isPseudo);
  const declaredBy: Applied["declaredBy"] = (wanted) =>
    cascade([...about.map((rule) => rule.declarations.filter((one) => wanted(one, rule))), own.declarations]);
  return { found, own, declaredBy };
}
