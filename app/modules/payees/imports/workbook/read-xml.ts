import { SaxesParser } from "saxes";
import { type Allowance, DAMAGED, EnoughRead, type PartReader, UnreadableWorkbook } from "./unpack";

/** Reads the XML of a workbook's part while it is unpacked. Pure. */

export type Attributes = Readonly<Record<string, string>>;

/** What is done with the elements of a part; names come without their prefix. */
export type ElementHandlers = {
  open?: (name: string, attributes: Attributes) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
};

/** Elements in elements: workbooks need about six. */
const MAX_DEPTH = 50;
/** Between one tag and the next there is at most a cell's text: more is no workbook. */
const MAX_BETWEEN_TAGS = 1024 * 1024;

const withoutPrefix = (name: string) => name.slice(name.indexOf(":") + 1);

/**
 * A reader of one part. No entities are read but XML's own five, and no document type: neither can make a small file large.
 * @throws UnreadableWorkbook for XML that is damaged
 */
export function readXml(allowance: Allowance, { open, close, text }: ElementHandlers): PartReader {
  const parser = new SaxesParser();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let depth = 0;
  let sinceTag = 0;
  parser.on("error", () => {
    throw new UnreadableWorkbook(DAMAGED);
  });
  parser.on("doctype", () => {
    throw new UnreadableWorkbook(DAMAGED);
  });
  parser.on("opentag", ({ name, attributes }) => {
    sinceTag = 0;
    if (++depth > MAX_DEPTH) throw new UnreadableWorkbook(DAMAGED);
    open?.(withoutPrefix(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    sinceTag = 0;
    depth--;
    close?.(withoutPrefix(name));
  });
  if (text) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  const write = (decoded: string) => {
    sinceTag += decoded.length;
    parser.write(decoded);
    if (sinceTag > MAX_BETWEEN_TAGS) throw new UnreadableWorkbook(DAMAGED);
  };
  return {
    allowance,
    read: (piece) => write(decode(() => decoder.decode(piece, { stream: true }))),
    end: () => {
      write(decode(() => decoder.decode()));
      parser.close();
    },
  };
}

/** Stops reading a part, and the archive. */
export const stopReading = (): never => {
  throw new EnoughRead();
};

function decode(run: () => string): string {
  try {
    return run();
  } catch {
    throw new UnreadableWorkbook(DAMAGED);
  }
}
