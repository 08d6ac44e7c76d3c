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

type Rule = Part & {
  selector: Selector;
  /** For certain screens, or programs that know the rule around it. */
  media: "" | "dark" | "other";
};

export type StyleSheets = {
  /** In the order in which they override each other. */
  rules: readonly Rule[];
  /** How much there is to compare with each element. */
  cost: number;
  /** What elements declare themselves, by what is written, once it was read. */
  owns: Map<string, Part>;
  /** Fonts that are embedded or downloaded: which shape they paint for a digit is unknown. */
  fonts: readonly string[];
  /** Styles are fetched when the message is opened, or there are too many: what they do is unknown. */
  isUnknown: boolean;
  /** Marks of lists that the message defines. */
  hasOwnMarks: boolean;
};

const MAX_RULES = 2_000;
/** Blocks and brackets in each other. */
const DEEPEST = 30;
/** Names and signs. Nobody writes more, and each element is compared with it. */
const MOST_IN_SELECTOR = 1_000;
/** In characters. A value is examined once for each element that its rule matches. */
export const LONGEST_VALUE = 5_000;

/** The parser looks through the whole sheet for each. */
const MOST_ERRORS = 300;

const OPTIONS = { parseValue: false, parseAtrulePrelude: false };

function parseCss(css: string, context: "stylesheet" | "declarationList"): CssNode {
  let [depth, deepest] = [0, 0];
  for (const [sign] of css.matchAll(/[[({\])}]/g)) {
    depth = Math.max(0, depth + (/[[({]/.test(sign) ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  if (deepest > DEEPEST) throw new CannotRead("too_slow");
  let errors = 0;
  const onParseError = () => {
    errors += 1;
    if (errors > MOST_ERRORS) throw new CannotRead("too_slow");
  };
  return parse(css, { ...OPTIONS, context, onParseError });
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
    if (node.type === "Raw" && node.value.includes("}"))
      return declarationsOf(node.value.slice(node.value.lastIndexOf("}") + 1));
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
    if (rules.length > MAX_RULES) return;
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
  return { rules: sorted, cost, owns: new Map(), fonts, isUnknown, hasOwnMarks };
}

type Selector = {
  /** What it asks of the element, of one around it, of one around that, and so on. */
  parts: readonly (readonly Simple[])[];
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

/** One condition, with the names of classes and ids as `Styled` has them, and the selectors inside it. */
type Simple = { type: CssNode["type"]; name: string; value: string; of: readonly Selector[]; weight: number };

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

const isPseudo = ({ type, name }: Simple) =>
  type === "PseudoElementSelector" || (type === "PseudoClassSelector" && PSEUDO.test(name));

function readSelector(selector: SelectorNode): Selector {
  const nodes = [...selector.children];
  const all = nodes.filter(({ type }) => type !== "Combinator").map(readSimple);
  const inside = all.flatMap(({ of }) => of).reduce((sum, { cost }) => sum + cost, 0);
  if (nodes.length + inside > MOST_IN_SELECTOR) throw new CannotRead("too_slow");
  const parts: Simple[][] = [[]];
  let rest = all;
  for (const node of [...nodes].reverse()) {
    if (node.type !== "Combinator") {
      parts.at(-1)?.push(...rest.slice(-1));
      rest = rest.slice(0, -1);
    }
    // What stands before an element may be added by the program, and is not looked at.
    else if (/[ >]/.test(node.name)) parts.push([]);
    else break;
  }
  const pseudo = all.filter(isPseudo);
  const isPlain = (one: Simple) => pseudo.includes(one) || /^(?:Type|Class|Id)Selector$/.test(one.type);
  return {
    parts,
    isExact: all.every(isPlain) && nodes.every((node) => node.type !== "Combinator" || node.name === " "),
    weight: all.reduce((sum, { weight }) => sum + weight, 0),
    cost: 1 + inside,
    isPseudo: pseudo.length > 0,
    isFirst: pseudo.some(({ name }) => /^first-l/i.test(name)),
  };
}

const OF_SELECTORS = /^(?:not|is|where|matches|(?:-\w+-)?any)$/i;
/** A hundred of the lesser count less than one of the greater, in any message. */
const [ID, CLASS, NAME] = [1_000_000, 1_000, 1];

function readSimple(node: CssNode): Simple {
  const simple = { type: node.type, name: "", value: "", of: [], weight: 0 };
  if (node.type === "ClassSelector") return { ...simple, name: `.${ident.decode(node.name)}`, weight: CLASS };
  if (node.type === "IdSelector") return { ...simple, name: `#${ident.decode(node.name)}`, weight: ID };
  if (node.type === "PseudoElementSelector") return { ...simple, name: node.name, weight: NAME };
  if (node.type === "TypeSelector") {
    const name = ident.decode(node.name).replace(/^.*\|/, "").toLowerCase();
    return { ...simple, name, weight: name === "*" ? 0 : NAME };
  }
  if (node.type === "AttributeSelector") {
    const value = node.value?.type === "String" ? node.value.value : (node.value?.name ?? "");
    return { ...simple, name: node.name.name.toLowerCase(), value: value.toLowerCase(), weight: CLASS };
  }
  if (node.type !== "PseudoClassSelector") return simple;
  if (!OF_SELECTORS.test(node.name)) return { ...simple, name: node.name, weight: CLASS };
  const of = childrenOf(node).flatMap(selectorsOf);
  const weight = /^where$/i.test(node.name) ? 0 : of.reduce((most, each) => Math.max(most, each.weight), 0);
  return { ...simple, name: node.name, of, weight };
}

/** An element with its classes and its id, as they are written and in small letters. */
export type Styled = {
  tag: string;
  written: ReadonlySet<string>;
  small: ReadonlySet<string>;
  attributes: Attributes;
  around: Styled | undefined;
  depth: number;
};

export function styled({ tagName }: Element, attributes: Attributes, around: Styled | undefined): Styled {
  const classes = (attributes.get("class") ?? "").split(/\s+/).map((each) => `.${each}`);
  const written = new Set([...classes, `#${attributes.get("id") ?? ""}`]);
  const small = new Set([...written].map((each) => each.toLowerCase()));
  return { tag: tagName.toLowerCase(), written, small, attributes, around, depth: 1 + (around?.depth ?? 0) };
}

/** Whether something applies: in no program, in some, in all. */
type Fit = 0 | 1 | 2;
const [NEVER, PERHAPS, SURELY] = [0, 1, 2] as const;

/** What is never so while somebody reads. */
const PASSING = /^(?:hover|active|focus(?:-\w+)?|visited)$/i;

function fitOfSimple({ type, name, value, of }: Simple, element: Styled): Fit {
  // Old modes do not look at the case.
  if (type === "ClassSelector" || type === "IdSelector")
    return element.written.has(name) ? SURELY : element.small.has(name.toLowerCase()) ? PERHAPS : NEVER;
  if (type === "TypeSelector") return name === "*" || name === element.tag ? SURELY : NEVER;
  if (type === "AttributeSelector")
    return element.attributes.get(name)?.toLowerCase().includes(value) ? PERHAPS : NEVER;
  if (type === "PseudoElementSelector" || PSEUDO.test(name)) return SURELY;
  if (PASSING.test(name)) return NEVER;
  if (!OF_SELECTORS.test(name)) return PERHAPS;
  const isNot = /^not$/i.test(name);
  const isSo = of.some((each) => fitOfSelector(each, element) >= (isNot ? SURELY : PERHAPS));
  return isSo === isNot ? NEVER : PERHAPS;
}

/** Whether a selector is about an element. That something stands directly inside something is not looked at. */
function fitOfSelector({ parts, isExact }: Selector, element: Styled): Fit {
  const reaches = (least: Fit): boolean => {
    let at: Styled | undefined = element;
    for (const [index, part] of parts.entries()) {
      const isFit = (one: Styled) => part.every((simple) => fitOfSimple(simple, one) >= least);
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
  /** How much was compared. */
  cost: number;
  /** What wins among an element's own declarations and those that are wanted of the rules. */
  declaredBy(wanted: (one: Declaration, rule: Rule & { isSure: boolean }) => boolean): Declared;
};

/** A rule that may be about an element costs as much as so many others. */
const COST_OF_MATCH = 20;

export function stylesOf(element: Styled, sheets: StyleSheets): Applied {
  const style = element.attributes.get("style") ?? "";
  const own = sheets.owns.get(style) ?? partOf(declarationsOf(style));
  sheets.owns.set(style, own);
  let { cost } = sheets;
  const found = sheets.rules.flatMap((rule) => {
    const { parts, isPseudo: isAdded } = rule.selector;
    if (!parts[0]?.every((simple) => fitOfSimple(simple, element) > NEVER)) return [];
    cost += COST_OF_MATCH + (parts.length > 1 ? element.depth : 0);
    const fits = fitOfSelector(rule.selector, element);
    if (fits !== NEVER) cost += rule.declarations.length;
    return fits === NEVER ? [] : [{ ...rule, isSure: fits === SURELY && rule.media === "" && !isAdded }];
  });
  const about = found.filter(({ selector }) => !selector.isPseudo);
  const declaredBy: Applied["declaredBy"] = (wanted) =>
    cascade([...about.map((rule) => rule.declarations.filter((one) => wanted(one, rule))), own.declarations]);
  return { found, own, cost, declaredBy };
}
