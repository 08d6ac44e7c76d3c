import { expect, test } from "vitest";
import { screenPdf } from "./screen";

test("of what a file says of itself in many places only so much is read", () => {
  const stream = (words: string) =>
    `1 0 obj << /Type /Metadata /Subtype /XML /Length ${words.length} >>\nstream\n${words}\nendstream\nendobj\n`;
  const title = "<dc:title>BSB 732-001</dc:title>";
  const many = Array.from({ length: 40 }, () => stream("x".repeat(90_000))).join("");
  const { description } = screenPdf(Buffer.from(`%PDF-1.7\n${stream(title)}${many}`));
  expect(description).toContain(title);
  expect(description).toHaveLength(200_000);
});
