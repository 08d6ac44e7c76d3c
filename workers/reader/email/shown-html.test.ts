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
  // Ends of elements that are left out, and elements that stand where none may.
  ["<p style='display:none'>hidden<p>Pay", "Pay"],
  ["<ul><li style='display:none'>hidden<li>Pay</ul>", "Pay"],
  ["<table><tr><td style='display:none'>hidden<td>Pay</table>", "Pay"],
  ["<table style='display:none'>Pay<tr><td>hidden</table>", "Pay"],
  // Which rule wins.
  ["<style>p.b{display:none} .b{display:block}</style><p class=b>hidden</p>Pay", "Pay"],
  ["<style>.b{display:none!important} #a{display:block}</style><p id=a class=b>hidden</p>Pay", "Pay"],
  ["<style>.b{display:none!important}</style><p class=b style='display:block'>hidden</p>Pay", "Pay"],
  ["<p style='font-size:16px;font:0px Arial'>hidden</p>Pay", "Pay"],
  // How it flows.
  ["1<figure>2</figure>3<b style='display:block'>4</b>5<li style='display:inline'>6", "1\n2\n3\n4\n56"],
])("what a browser shows of %s", (html, text) => {
  expect(shown(html)).toBe(text);
});

test("what stands in a tag that never ends is shown by no browser, and is kept as hidden", () => {
  const { shown, hidden } = readShownHtml('<p>Pay</p><a href="BSB 083-170 Account 12345678');
  expect(shown.trim()).toBe("Pay");
  expect(hidden).toContain("083-170");
});

test.each([["<select><textarea></select><p>083-170</p>"], ["<noscript><!--</noscript><p>083-170</p>"]])(
  "words that only some programs show are kept as hidden: %s",
  (html) => {
    expect(readShownHtml(html).hidden).toContain("083-170");
  },
);

test.each([
  ["<svg><style></svg><p>083-170</p>"],
  ["<math><title></math><p>083-170</p>"],
  ["<div style='display:none'><table><tr><td></div>083-170</td></tr></table></div>"],
  ["<span style='display:none'><div></span>083-170</div></span>"],
  ["<b><div style='display:none'></b>083-170</div>"],
  ["<p style='display:none'><table><tr><td></p>083-170</td></tr></table>"],
  ["<script><!--<script></script>083-170</script>"],
  ["<ul style='visibility:hidden;display:inline-block;margin-left:-9999px'>a</ul>083-170"],
  ["<svg><style><!--</style></svg>083-170-->"],
  ["<svg><![CDATA[></svg>083-170]]></svg>"],
  ["<div><template shadowrootmode=open><slot name=x></slot></template>083-170</div>"],
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
  ["<style>b+span{display:none}</style><span>083-170</span>"],
  ["<style>.A{display:none}</style><p class=a>083-170</p>"],
  ["<style>.x > span{display:none}</style><p class=x><i><span>083-170</span></i></p>"],
  ["<style>.b{color:#fff} .x > .b{background:#000}</style><p class=x><b class=b>083-170</b></p>"],
  ["<style>.b{display:none} .x > .b{display:inline}</style><p class=x><b class=b>083-170</b></p>"],
  ["<style>b{font-size:0} b:first-child{font-size:16px}</style><p><b>083-170</b></p>"],
  ["<style>p.b{display:block} .b{display:none}</style><p class=b>083-170</p>"],
  ["<style>#a{display:block} p.b{display:none}</style><p id=a class=b>083-170</p>"],
  ["<style>.b{display:block!important} #a{display:none}</style><p id=a class=b>083-170</p>"],
  ["<style>.b{display:none} @media screen{.b{display:block}}</style><p class=b>083-170</p>"],
  ["<style>.b{display:none} @media print{.b{display:block}}</style><p class=b>083-170</p>"],
  ["<style>@media (prefers-color-scheme:dark){.b{display:none}}</style><p class=b>083-170</p>"],
  ["<style media=print>.b{display:none}</style><p class=b>083-170</p>"],
  ["<style>a:link{display:none}</style><a href=x>083-170</a>"],
  ["<style>p:not(:hover){display:none}</style><p>083-170</p>"],
  ["<style>.x{.b{display:none}}</style><p class=b>083-170</p>"],
  ["<style>.b > > i, .b{display:none}</style><p class=b>083-170</p>"],
  ["<p hidden style='display:block'>083-170</p>"],
  ["<div style='visibility:hidden'><p style='visibility:visible'>083-170</p></div>"],
  ["<p style='mso-hide:all'>083-170</p>"],
  ["<p style='left:-9999px'>083-170</p>"],
  ["<p style='text-indent:-9999px'>Pay<br>083-170</p>"],
  ["<p style='clip:rect(0,9999px,9999px,0);position:absolute'>083-170</p>"],
  ["<span style='height:0;overflow:hidden'>083-170</span>"],
  ["<div style='height:0;padding-top:40px;overflow:hidden'>083-170</div>"],
  ["<div style='width:0;width:x;overflow:hidden'>083-170</div>"],
  ["<div style='color:transparent;text-shadow:0 0 #000'>083-170</div>"],
  ["<div style='font-size:1px;zoom:16'>083-170</div>"],
  ["<div style='background:url(x) #fff;color:#fff'>083-170</div>"],
  ["<div style='background:hsl(0,0%,0%)'>083-170</div>"],
  ["<div style='background:#000000ff;color:#000'>083-170</div>"],
  ["<style>*{display:contents}</style><p style='opacity:0'>083-170</p>"],
  ["<div style='color:#fff'><table><tr><td>083-170</table></div>"],
  ["<dd color=white style='font-size:0'><table><tr><td>083-170</table></dd>"],
  ["<div style='font-size:.4em'><div style='font-size:.4em'>083-170</div></div>"],
  ["<div style='all:unset;transform:scale(0)'>083-170</div>"],
  ["<div style='max-height:0'>083-170</div>Pay"],
  ["<div style='font-size:2px'><h1>083-170</h1></div>"],
  ["<b style='display:table-column;float:left'>083-170</b>"],
  ["<style>.A{white-space:nowrap;overflow:hidden;width:30px}</style><p class=a>083-170</p>"],
  ["<p style='all:unset' hidden>083-170</p>"],
  ["<b style='display:x;overflow:hidden;max-height:0'>083-170</b>"],
  ["<style>p:first-child{height:0}</style><p>083-170</p>Pay"],
  ["<p>Pay<noscript>083-170</noscript>"],
  ["<style>.b:x, .b{display:none}</style><p class=b>083-170</p>"],
  ["<object>083-170</object>"],
  ["<p popover>083-170</p>"],
  ["<p style='color:#fff;color:black white'>083-170</p>"],
  ["<p style='color:#fff;color:#000g'>083-170</p>"],
  ["<p style='color:#fff;background:#000 #000'>083-170</p>"],
  ["<p style='color:#fff;background:black white'>083-170</p>"],
  ["<p style='color:#fff;background:rgb(0,0,0,1,1)'>083-170</p>"],
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
  ["<style>.x{font-size:0} .x::before{content:'1'}</style><p class=x>083-170</p>"],
])("words that a style hides inside another element are kept as hidden: %s", (html) => {
  expect(readShownHtml(html)).toMatchObject({ shown: "", hidden: expect.stringContaining("083-170") });
});

test.each([
  ["<style>.x span{display:none}</style><span>083-170</span>"],
  ["<p color=white>083-170</p>"],
  ["<table><tr style='height:0pt'><td style='width:0'>083-170</table>"],
  ["<p style='color:#fff'><a href=x>083-170</a></p>"],
  ["<p style='background:midnightblue no-repeat 0 0/cover;color:lavender'>083-170</p>"],
  ["<style>.x p b{display:none}</style><p class=x></p><p><b>083-170</b></p>"],
  ["<style>span:not(.a){display:none}</style><span class=a>083-170</span>"],
  ["<style>[class=x]{display:none}</style><p class=a>083-170</p>"],
  ["<style>.x p{color:#fff}</style><p>083-170</p>"],
  ["<style>.x p{font-size:0}</style><p>083-170</p>"],
  ["<style>.b{color:#000} .y > .b{background:#000}</style><p class=x><b class=b>083-170</b></p>"],
])("words that a style is not about are shown, and sure: %s", (html) => {
  expect(readShownHtml(html)).toMatchObject({ shown: "083-170", hidden: "", isUnsure: false });
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
  ["<div>"],
  ["<b>", "</p>"],
  ["<p><b></p>"],
  ["<style>", ":not("],
  ["<style>", "a{&{"],
  ["<style>", "p..x{a:b}"],
  ["<style>a{", ".b{c:d;.e{f:g}}"],
  ["<p style='", "a:(;"],
])("the time that %s takes grows with its length only", (...parts) => {
  const [before, part = before] = parts as [string, string?];
  const { user } = process.cpuUsage();
  try {
    readShownHtml(before + part.repeat(300_000 / part.length));
  } catch (error) {
    expect(error).toMatchObject({ reason: "too_slow" });
  }
  expect(process.cpuUsage().user - user).toBeLessThan(5_000_000);
});

test.each([
  `<style>${"a ".repeat(100_000)}{color:red}</style>`,
  `<style>${".a{color:red}".repeat(2_000)}</style>${"<p class=a>1</p>".repeat(2_000)}`,
  `<style>p{${"a:b;".repeat(5_000)}}</style>${"<p>1</p>".repeat(1_000)}`,
])("a style sheet that would have to be compared for minutes is not read", (html) => {
  expect(() => readShownHtml(html)).toThrow("too_slow");
});
