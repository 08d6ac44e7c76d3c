import { expect, test } from "vitest";
import { placeAfter, readPaymentsPage, readPlace, writePaymentsPage, writePlace } from "./sync";

test("the place of a sync is read as it was written, with the time from when on payments are listed", () => {
  const page = writePaymentsPage({ since: 1_795_144_560_000, page: "2" });
  const next = placeAfter("payments", page);
  const place = readPlace(next ? writePlace(next) : null);
  expect(place).toEqual({ phase: "payments", page });
  expect(readPaymentsPage(place.page)).toEqual({ since: 1_795_144_560_000, page: "2" });
});

test("the first page of payments names no time, nor does a page that was written without one", () => {
  expect([null, "2", "|2", "5|"].map(readPaymentsPage)).toEqual([undefined, undefined, undefined, undefined]);
});
