import { describe, expect, test } from "vitest";
import { UpstreamError } from "~/kernel/app-error";
import { createBench } from "../../tests/support/simulator-bench";
import { FAULT_KINDS } from "./faults";

type Bench = ReturnType<typeof createBench>;

async function failure(work: Promise<unknown>): Promise<UpstreamError> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof UpstreamError)) throw new Error(`expected an UpstreamError, got ${JSON.stringify(error)}`);
  return error;
}

const MAIL = { to: "ann@example.com", subject: "Hello", html: "<p>Hello</p>", text: "Hello" };

describe("every fault, as the adapters see it", () => {
  test.each([
    ["timeout", "timeout"],
    ["429", "rate_limited"],
    ["500", "unavailable"],
    ["503", "unavailable"],
    ["401", "unavailable"],
    ["malformed", "malformed"],
    ["truncated", "malformed"],
    ["empty", "malformed"],
    ["lost_acknowledgement", "unavailable"],
  ])("%s is %s", async (fault, kind) => {
    const bench = createBench({ timeoutMs: fault === "timeout" ? 5 : undefined });
    for (const party of ["mail", "sms"]) await bench.postJson("/faults", { party, fault });
    await bench.postJson("/faults", { party: "basiq", fault, path: "/token" });
    const errors = [
      await failure(bench.mail.send(MAIL, "key-1")),
      await failure(bench.sms.send({ to: "+61412345678", body: "Hello" })),
      await failure(bench.bankData.createUser({ email: "a@example.com" }, "1")),
    ];
    expect(errors.map((error) => [error.party, error.kind])).toEqual([
      ["mail", kind],
      ["sms", kind],
      ["basiq", kind],
    ]);
    expect(await bench.mail.send(MAIL, "key-1")).toHaveProperty("providerMessageId");
  });

  test("slow is late, and right", async () => {
    const bench = createBench({ impatient: true });
    await bench.postJson("/faults", { party: "mail", fault: "slow" });
    const start = bench.clock.now();
    await bench.mail.send(MAIL, "key-1");
    expect(bench.clock.now() - start).toBe(3_000);
  });

  test("a fault for one body leaves other calls alone", async () => {
    const bench = createBench();
    await bench.postJson("/faults", { party: "mail", fault: "503", body: "bob@example.com" });
    expect(await bench.mail.send(MAIL, "key-1")).toHaveProperty("providerMessageId");
    const failed = await failure(bench.mail.send({ ...MAIL, to: "bob@example.com" }, "key-2"));
    expect(failed.kind).toBe("unavailable");
  });

  test("429 carries Retry-After", async () => {
    const bench = createBench();
    await bench.postJson("/faults", { party: "mail", fault: 429, retryAfter: 30 });
    expect((await failure(bench.mail.send(MAIL, "key-1"))).options.retryAfterMs).toBe(30_000);
  });

  test("a lost acknowledgement repeated with its key is one mail", async () => {
    const bench = createBench();
    await bench.postJson("/faults", { party: "mail", fault: "lost_acknowledgement" });
    await failure(bench.mail.send(MAIL, "key-1"));
    await bench.mail.send(MAIL, "key-1");
    expect(await (await bench.get("/mail/messages")).json()).toHaveLength(1);
  });
});

describe("an answer about another payee", () => {
  async function benchWithData() {
    const bench = createBench();
    const check = await bench.startCheck();
    await bench.postJson("/basiq/complete", { verificationId: check.verificationId, persona: "match" });
    await bench.simulators.idle();
    return { bench, userId: check.providerUserId };
  }
  const calls: [string, (bench: Bench, userId: string) => Promise<unknown>][] = [
    ["/jobs", (bench, userId) => bench.bankData.getProgress(userId)],
    ["/accounts", (bench, userId) => bench.bankData.getSharedData(userId)],
    ["/identities", (bench, userId) => bench.bankData.getSharedData(userId)],
    ["/connections", (bench, userId) => bench.bankData.getSharedData(userId)],
    ["/events", (bench) => bench.bankData.getEvent(JSON.parse(bench.deliveries[0]?.body ?? "{}").eventId)],
  ];

  test.each(calls)("under %s is never used and always logged", async (path, call) => {
    const { bench, userId } = await benchWithData();
    await bench.postJson("/faults", { party: "basiq", fault: "wrong_tenant", path });
    expect((await failure(call(bench, userId))).kind).toBe("wrong_tenant");
    expect(bench.warnings.map(({ event }) => event)).toEqual(["basiq.wrong_tenant"]);
    await call(bench, userId);
  });
});

describe("the list of faults", () => {
  test("a fault befalls its number of calls, those of its path only", async () => {
    const bench = createBench();
    await bench.postJson("/faults", { party: "basiq", fault: "500", times: 2, path: "/users" });
    const results = [];
    for (let i = 0; i < 3; i++) {
      results.push(
        await bench.bankData.createUser({ email: "a@example.com" }, "1").then(
          () => "ok",
          () => "failed",
        ),
      );
    }
    expect(results).toEqual(["failed", "failed", "ok"]);
    expect(await (await bench.get("/faults.json")).json()).toEqual([]);
  });

  test("faults can be cleared", async () => {
    const bench = createBench();
    for (const fault of FAULT_KINDS) await bench.postJson("/faults", { party: "mail", fault });
    expect(await (await bench.get("/faults.json")).json()).toHaveLength(FAULT_KINDS.length);
    const answer = await bench.fetch(new Request("http://simulators.test/faults", { method: "DELETE" }));
    expect(answer.status).toBe(204);
    expect(await (await bench.get("/faults.json")).json()).toEqual([]);
  });

  test("a person adds a fault by the form", async () => {
    const bench = createBench();
    const form = { party: "sms", fault: "503", times: "2", path: "", retryAfter: "" };
    expect((await bench.postForm("/faults", form)).headers.get("location")).toBe("/faults");
    expect(await (await bench.get("/faults.json")).json()).toEqual([{ party: "sms", fault: "503", times: 2 }]);
    expect(await (await bench.get("/faults")).text()).toContain("<td>503</td>");
  });

  test.each([
    { party: "nobody", fault: "500" },
    { party: "mail", fault: "flood" },
    { party: "mail", fault: "500", times: 0 },
    "500",
  ])("%j is refused", async (body) => {
    const answer = await createBench().postJson("/faults", body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toHaveProperty("message");
  });
});
