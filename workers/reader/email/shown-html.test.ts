import { expect, test } from "vitest";
import { readShownHtml } from "./shown-html";

const shown = (html: string) => readShownHtml(html).shown.trim();

test.each([
  ["<p title=it's>Pay</p><p>now</p>", "Pay\nnow"],
  ['<p title="a > b">Pay</p>', "Pay"],
  ["<p title = 'a > b'>Pay</p>", "Pay"],
  ['<a/href="x">Pay</a>', "Pay"],
  ['Pay<p class="', "Pay"],
  ["1 < 2 <3", "1 < 2 <3"],
  ['<style title="<">p{display:none}</style><p>Hidden</p>Pay', "Pay"],
  ["<style>/* never ends</style><p>Pay</p>", "Pay"],
  ["<style>a{color:red}p{display:none}</style><p>Hidden</p>Pay", "Pay"],
])("what a browser shows of %s", (html, text) => {
  expect(shown(html)).toBe(text);
});

test("what stands in a tag that never ends is shown by no browser, and is kept as hidden", () => {
  const { shown, hidden } = readShownHtml('<p>Pay</p><a href="BSB 083-170 Account 12345678');
  expect(shown.trim()).toBe("Pay");
  expect(hidden).toContain("083-170");
});

/** Some of them took minutes. */
test.each([
  [" <a  "],
  ["<a b b b "],
  ['<a href="'],
  ["<a href=https:\\\\x?@"],
  ["<style "],
  ["<link "],
  ["<!1"],
  ["</1"],
  ["<?x"],
  ["<!--[if mso]><v:a "],
  ["<style>", "/*"],
  ["<style>", "@media x"],
  ["<style>", "@import "],
  ["<style>", "a"],
  ["<style>", "   "],
  ["<style>", "a{"],
  ["<div></p>"],
])("the time that %s takes grows with its length only", (...parts) => {
  const [before, part = before] = parts as [string, string?];
  const { user } = process.cpuUsage();
  readShownHtml(before + part.repeat(300_000 / part.length));
  expect(process.cpuUsage().user - user).toBeLessThan(5_000_000);
});

test.each([
  `<style>${"a ".repeat(100_000)}{color:red}</style>`,
  `<style>${".a{color:red}".repeat(2_000)}</style>${"<p class=a>1</p>".repeat(2_000)}`,
])("a style sheet that would have to be compared for minutes is not read", (html) => {
  expect(() => readShownHtml(html)).toThrow("too_slow");
});
