import { expect, test } from "vitest";
import { findDeadLinks, findInvalidHtml, skeletonOf } from "./valid-html";

const pageOf = (body: string, after = "") =>
  `<!DOCTYPE html><html lang="en-AU"><head><title>A page</title></head><body>${body}</body></html>${after}`;

test.each([
  ["a script after the end", pageOf("<p>x</p>", "<script>1</script>")],
  ["a block in a paragraph", pageOf("<p><div>x</div></p>")],
  ["an id twice", pageOf('<p id="a">x</p><p id="a">y</p>')],
  ["an address with a bracket", pageOf('<p id="id[0]"><a href="#id[0]">Tick one</a></p>')],
  ["a reload in the body", pageOf('<noscript><meta http-equiv="refresh" content="30"></noscript>')],
  [
    "a required list without a placeholder",
    pageOf('<label for="s">S</label><select id="s" required=""><option value="a">A</option></select>'),
  ],
])("%s is found", async (_, html) => expect(await findInvalidHtml(html)).not.toEqual([]));

test("a valid page has no fault", async () => {
  const select = '<label for="s">S</label><select id="s" required=""><option value="">Choose</option></select>';
  expect(await findInvalidHtml(pageOf(`<h1>x</h1>${select}`))).toEqual([]);
});

test("pages that differ in words and values have one skeleton, pages that differ in elements or ids have not", () => {
  const one = pageOf('<p id="a" title="Kim">Kim</p><p></p>');
  expect(skeletonOf(pageOf('<p id="a" title="Lee">Lee</p><p></p>'))).toBe(skeletonOf(one));
  for (const other of ['<p id="b" title="Kim">Kim</p><p></p>', '<p id="a" title="Kim">Kim</p><p>x</p>', "<p>Kim</p>"]) {
    expect(skeletonOf(pageOf(other))).not.toBe(skeletonOf(one));
  }
});

test("a link to a field that is not there is dead, one to a field that is there is not", () => {
  const link = '<a href="#name">Enter a name</a>';
  expect(findDeadLinks(pageOf(link))).toEqual(["a link leads to #name, which is not on the page"]);
  expect(findDeadLinks(pageOf(`${link}<input id="name">`))).toEqual([]);
});
