import { expect, test } from "vitest";
import { DOUBT_MARK } from "../layout/lines";
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
  // Quotation marks that open no value: nothing after them is swallowed.
  ['<p ="> Pay ">', 'Pay ">'],
  ['<p/="> Pay ">', 'Pay ">'],
  ['<p a="b"="> Pay ">', 'Pay ">'],
  ['<p a=b ="> Pay ">', 'Pay ">'],
  ['<p a=\u00a0"> Pay ">', 'Pay ">'],
  ['</p ="> Pay ">', 'Pay ">'],
  ['<!x ="> Pay ">', 'Pay ">'],
  ['<!DOCTYPE html PUBLIC ="> Pay ">', 'Pay ">'],
  // Elements whose content is not markup end in any letters, and at their own name.
  ["<STYLE><!--</STYLE><p>Pay</p>", "Pay"],
  ["<style></STYLE><p>Pay</p>", "Pay"],
  ['<SCRIPT>"<b a=\'"</SCRIPT><p>Pay</p>', "Pay"],
  ["<xmp><!--</xmp><p>Pay</p>", "<!--\nPay"],
  ["<plaintext><!--Pay", "<!--Pay"],
  ["Pay<style></style-x> hidden </style>", "Pay"],
  ["<style></stylex{} .b{display:none}</style><p class=b>hidden</p>Pay", "Pay"],
  ["Pay<template/>hidden</template>", "Pay"],
  ["Pay<template><template></template>hidden</template>", "Pay"],
  ["Pay<svg><svg></svg>hidden</svg>", "Pay"],
  ["<svg/>Pay", "Pay"],
  ['<p x"style="" style="display:none">hidden</p>Pay', "Pay"],
  // Style sheets: a comment begins in no words, a rule may never end, and old modes do not look at the case of names.
  ["<style>.a{content:'/*'} .b{display:none} .c{content:'*/'}</style><p class=b>hidden</p>Pay", "Pay"],
  ['<p style="background:url(/*);display:none;color:url(*/)">hidden</p>Pay', "Pay"],
  ["<style>.b{display:none</style><p class=b>hidden</p>Pay", "Pay"],
  ["<div style='display:none'><p>hidden</div>Pay", "Pay"],
  ["<table><tr style='display:none'><td>hidden</tr><tr><td>Pay</table>", "Pay"],
])("what a browser shows of %s", (html, text) => {
  expect(shown(html)).toBe(text);
});

test("what stands in a tag that never ends is shown by no browser, and is kept as hidden", () => {
  const { shown, hidden } = readShownHtml('<p>Pay</p><a href="BSB 083-170 Account 12345678');
  expect(shown.trim()).toBe("Pay");
  expect(hidden).toContain("083-170");
});

test.each([
  ["<svg><style></svg><p>083-170</p>"],
  ["<math><title></math><p>083-170</p>"],
  ["<select><textarea></select><p>083-170</p>"],
  ["<noscript><!--</noscript><p>083-170</p>"],
])("words that only some programs show are kept as hidden: %s", (html) => {
  expect(readShownHtml(html).hidden).toContain("083-170");
});

test.each([
  ["<div style='display:none'><table><tr><td></div>083-170</td></tr></table></div>"],
  ["<span style='display:none'><div></span>083-170</div></span>"],
  ["<b><div style='display:none'></b>083-170</div>"],
  ["<p style='display:none'><table><tr><td></p>083-170</td></tr></table>"],
  ["<script><!--<script></script>083-170</script>"],
  ["<svg><style><!--</style></svg>083-170-->"],
  ["<svg><![CDATA[></svg>083-170]]></svg>"],
])("nobody can say whether a program shows the words of %s", (html) => {
  expect(readShownHtml(html).isUnsure).toBe(true);
});

test.each([
  ["<style><!-- p{color:red} --></style><p>Pay</p>"],
  ["<div style='display:none'><span>x</div><p>Pay</p>"],
  ["<table style='display:none'><tr><td>x</table><p>Pay</p>"],
  ['<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/x.dtd"><p>Pay</p>'],
])("an honest message is sure: %s", (html) => {
  expect(readShownHtml(html)).toMatchObject({ shown: "Pay", isUnsure: false });
});

test.each([
  ["<style>.x span{display:none}</style><span>083-170</span>"],
  ["<style>.x p b{display:none}</style><p class=x></p><p><b>083-170</b></p>"],
  ["<style>span:not(.a){display:none}</style><span class=a>083-170</span>"],
  ["<style>[class=x]{display:none}</style><p class=a>083-170</p>"],
  ["<style>b+span{display:none}</style><span>083-170</span>"],
  ["<style>.A{display:none}</style><p class=a>083-170</p>"],
  ["<style>.x p{color:#fff}</style><p>083-170</p>"],
  ["<style>.x p{font-size:0}</style><p>083-170</p>"],
  ["<style>.x > span{display:none}</style><p class=x><i><span>083-170</span></i></p>"],
  ["<style>.b{color:#fff} .x > .b{background:#000}</style><p class=x><b class=b>083-170</b></p>"],
  ["<style>.b{color:#000} .y > .b{background:#000}</style><p class=x><b class=b>083-170</b></p>"],
  ["<style>.b{display:none} .x > .b{display:inline}</style><p class=x><b class=b>083-170</b></p>"],
  ["<style>b{font-size:0} b:first-child{font-size:16px}</style><p><b>083-170</b></p>"],
])("words that a style may not be about are shown, and not sure: %s", (html) => {
  const read = readShownHtml(html);
  expect(read.shown.replaceAll(DOUBT_MARK, "")).toContain("083-170");
  expect(read.shown).toContain(DOUBT_MARK);
  expect(read.hidden).not.toContain("083-170");
});

test.each([
  ["<style>.x span{display:none}</style><p class='y x'><i><span>083-170</span></i></p>"],
  ["<style>#x p .b{display:none}</style><div id=x><p><b class=b>083-170</b></p></div>"],
  ["<style>.x b{color:#fff}</style><p class=x><b>083-170</b></p>"],
])("words that a style hides inside another element are kept as hidden: %s", (html) => {
  expect(readShownHtml(html)).toMatchObject({ shown: "", hidden: expect.stringContaining("083-170") });
});

test("digits that a style adds beside those that it hides are told of", () => {
  const style = '.b span,.a span{display:none}.b:before{content:"032 142"}.a:before{content:"5737 4605"}';
  const html = `<style>${style}</style>BSB <span class=b><span>063 547</span></span> <span class=a><span>3707</span></span>`;
  expect(readShownHtml(html)).toMatchObject({ isDrawn: true, hidden: expect.stringContaining("032 142") });
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
