import { afterAll, afterEach, expect, test, vi } from "vitest";
import { createLog, mask, runAs } from "./log";

const written: string[] = [];
const note = (line: string) => void written.push(line);
const spies = (["info", "error"] as const).map((level) => vi.spyOn(console, level).mockImplementation(note));
afterEach(() => {
  written.length = 0;
});
afterAll(() => spies.map((spy) => spy.mockRestore()));

const log = createLog("v1");
const ID = "0192f1c2-1234-7abc-8def-123456789012";

const SPELLINGS: readonly [string, unknown][] = [
  ["digits", "account 12345678 was refused"],
  ["with the BSB and blanks", "062 000 12 345 678"],
  ["with dashes", "062-000 1234-5678"],
  ["in JSON", JSON.stringify({ bsb: "062000", accountNumber: "12345678", said: "12\t345\u00a0678" })],
  ["as a number", 12345678],
  ["in an error", new Error("no such account: 12 345 678")],
  ["in a list within details", { rows: [{ account: "1234.5678" }, { account: 12345678 }] }],
  ["in an address", "/payees?q=12%20345%20678&n=1234+5678"],
  ["as a large number of a database", 12345678n],
];

test.each(SPELLINGS)("an account number never reaches the log: %s", (_, said) => {
  log.error("refused", { said });
  const [line = ""] = written;
  const digits = line.replace(/v1|\D/g, "");
  expect(digits).not.toMatch(/1234|2345|3456|4567|062/);
  expect(line).toContain("…678");
});

test("every line of what runs bears its id as it is, and nothing else runs under it", async () => {
  await Promise.all(
    (["request", "job", "schedule"] as const).map((what, at) =>
      runAs(what, `${ID.slice(0, -1)}${at}`, async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        log.info("did", { jobId: ID, account: "12345678" });
      }),
    ),
  );
  log.info("outside");
  const lines = written.map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { event: "did", request: `${ID.slice(0, -1)}0`, jobId: ID, account: "…678", version: "v1" },
    { event: "did", job: `${ID.slice(0, -1)}1` },
    { event: "did", schedule: `${ID.slice(0, -1)}2` },
    { event: "outside" },
  ]);
  expect(Object.keys(lines[3])).toEqual(["level", "event", "version"]);
});

test("what is said cannot stand in the place of an id, and a cause is found in the source", () => {
  runAs("request", ID, () =>
    log.error("x", { request: "forged", level: "info", error: "at pay (app/pay.ts:12345:678)" }),
  );
  expect(JSON.parse(written[0] ?? "")).toMatchObject({
    request: ID,
    level: "error",
    error: "at pay (app/pay.ts:12345:678)",
  });
});

test("email addresses and tokens are masked", () => {
  expect(mask(`ana@harbour.example ${"a".repeat(43)}`)).toBe("a…@harbour.example …token…");
});
