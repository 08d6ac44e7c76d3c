/** The parts of css-tree that parse. Its types name only the whole, which has the grammar of every property. */

declare module "css-tree/parser" {
  export { parse as default } from "css-tree";
}
declare module "css-tree/tokenizer" {
  export const Comment: number;
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void;
}
declare module "css-tree/utils" {
  export { ident } from "css-tree";
}
