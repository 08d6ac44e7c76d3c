import { expect, test } from "vitest";
import { findInvalidHtml } from "./valid-html";

const pageOf = (body: string, after = "") =>
  `<!DOCTYPE html><html lang="en-AU"><head><title>A page</title></head><body>${body}</body></html>${after}`;

test.each([
  ["a script after the end", pageOf("<p>x</p>", "<script>1</script>")],
  ["a block in a paragraph", pageOf("<p><div>x</div></p>")],
  ["an id twice", pageOf('<p id="a">x</p><p id="a">y</p>')],
  [
    "a required list without a placeholder",
    pageOf('<label for="s">S</label><select id="s" required=""><option value="a">A</option></select>'),
  ],
])("%s is found", async (_, html) => expect(await findInvalidHtml(html)).not.toEqual([]));

test("a valid page has no fault", async () => {
  const select = '<label for="s">S</label><select id="s" required=""><option value="">Choose</option></select>';
  expect(await findInvalidHtml(pageOf(`<h1>x</h1>${select}`))).toEqual([]);
});
