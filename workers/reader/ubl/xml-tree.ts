import { SaxesParser } from "saxes";
import { CannotRead } from "../limits";

/** An element by its local name; one of a name space that is not UBL's has it in front, so that nothing takes it for UBL's. */
export type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] };

const UBL =
  /^urn:oasis:names:specification:ubl:schema:xsd:(?:Invoice|CreditNote|CommonBasicComponents|CommonAggregateComponents)-2$/;
const MAX_DEPTH = 40;
const MAX_ELEMENTS = 60_000;

/** Reads XML as a tree. A document type is refused, so nothing of it can be expanded. */
export function parseXml(text: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { name: "", attributes: {}, text: "", children: [] };
  const open = [root];
  let count = 0;
  parser.on("error", () => {
    throw new CannotRead("damaged");
  });
  parser.on("doctype", () => {
    throw new CannotRead("damaged");
  });
  parser.on("opentag", ({ local, uri, attributes }) => {
    count += 1;
    if (count > MAX_ELEMENTS || open.length > MAX_DEPTH) throw new CannotRead("too_large");
    const element = {
      name: UBL.test(uri) ? local : `${uri} ${local}`,
      attributes: Object.fromEntries(Object.values(attributes).map((one) => [one.local, one.value])),
      text: "",
      children: [],
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => open.pop());
  const addText = (piece: string) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  const STEP = 65_536;
  for (let at = 0; at < text.length; at += STEP) parser.write(text.slice(at, at + STEP));
  parser.close();
  const [document] = root.children;
  if (!document) throw new CannotRead("damaged");
  return document;
}

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** The first element along a path of names. */
export function find(element: Element | undefined, ...path: string[]): Element | undefined {
  return path.reduce<Element | undefined>((at, name) => at?.children.find((child) => child.name === name), element);
}

export function textOf(element: Element | undefined, ...path: string[]): string | undefined {
  return (
    find(element, ...path)
      ?.text.trim()
      .replace(/\s+/g, " ")
      .slice(0, 400) || undefined
  );
}
