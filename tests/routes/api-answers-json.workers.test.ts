import { expect, test } from "vitest";
import { aBrowser } from "../support/worker";

const ADDRESSES = [
  "/api",
  "/api/",
  "/api/nothing",
  "/api/nothing/at/all",
  "/api/payees.html",
  "/api/payees/",
  "/api/payees/not-an-id",
  "/api/verify/short",
  "/api/%00",
  "/api/%E0%A4%A",
  "/api/docs.json",
  `/api/${"a".repeat(3_000)}`,
];

test.each(ADDRESSES)("%s answers JSON or nothing, whatever a browser would rather have", async (address) => {
  for (const method of ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
    const answer = await aBrowser().send(address, { method, headers: { Accept: "text/html" } });
    const type = answer.headers.get("Content-Type");
    expect([method, answer.status >= 400 || answer.status === 204]).toEqual([method, true]);
    expect([method, type === null || type.startsWith("application/json")]).toEqual([method, true]);
    expect((await answer.text()).trimStart().startsWith("<")).toBe(false);
  }
});
