import { expect, test, vi } from "vitest";
import { pageTitle } from "./page-title";

const shown = (hasErrors: boolean, key = "arrived") => ({
  matches: [{ id: "root", data: { hasErrors } }, { id: "routes/payees" }],
  location: { key },
});

test("a page is named before the product", () => {
  expect(pageTitle(shown(false), "Payees")).toEqual({ title: "Payees · PayeeProof" });
});

test("the answer to a refused post says so first", () => {
  expect(pageTitle(shown(true), "Payees")).toEqual({ title: "Error: Payees · PayeeProof" });
});

test("in a browser only the page that arrived with the refusal does, however often it is drawn", () => {
  vi.stubGlobal("document", {});
  const titles = ["arrived", "arrived", "opened-since"].map((key) => pageTitle(shown(true, key), "Payees").title);
  expect(titles).toEqual(["Error: Payees · PayeeProof", "Error: Payees · PayeeProof", "Payees · PayeeProof"]);
  vi.unstubAllGlobals();
});

test("a page whose frame could not be loaded still has its title", () => {
  const withoutRoot = { matches: [undefined, { id: "root" }], location: { key: "arrived" } };
  expect(pageTitle(withoutRoot, "Payees")).toEqual({ title: "Payees · PayeeProof" });
});
