import { expect, test } from "vitest";
import { createAbr } from "~/adapters/business-register/abr";
import { createBench } from "../../tests/support/simulator-bench";

const ATO = "51824753556";

test("an ABN is answered with its entity, out of JSONP", async () => {
  expect(await createBench().businessRegister.findByAbn(ATO)).toEqual({
    abn: ATO,
    entityName: "AUSTRALIAN TAXATION OFFICE",
    isActive: true,
    statusFrom: "1999-11-01",
    entityType: "Commonwealth Government Entity",
    acn: null,
    gstFrom: "2000-07-01",
    businessNames: [],
    state: "NSW",
    postcode: "2640",
  });
});

test("a cancelled ABN and one that is not there are answers", async () => {
  const bench = createBench();
  expect(await bench.businessRegister.findByAbn("88000014675")).toMatchObject({ isActive: false, gstFrom: null });
  expect(await bench.businessRegister.findByAbn("12345678901")).toBeNull();
});

test("names are found, the best first", async () => {
  const hits = await createBench().businessRegister.findByName("wattle solar");
  expect(hits).toMatchObject([
    { abn: "53004085616", name: "WATTLE CREEK ELECTRICAL PTY LTD", isActive: true, state: "NSW" },
  ]);
  expect(await createBench().businessRegister.findByName("zzyzx qqq")).toEqual([]);
});

test("a refusal with HTTP 200 is no answer about the ABN", async () => {
  const bench = createBench();
  const guid = "00000000-0000-0000-0000-000000000000";
  const stranger = createAbr({
    baseUrl: "http://simulators.test/abr/json",
    guids: [guid],
    fetch: bench.fetch,
    clock: bench.clock,
  });
  const refused = { party: "abr", kind: "unavailable" };
  await expect(stranger.findByAbn(ATO)).rejects.toMatchObject(refused);
  await expect(stranger.findByName("tax")).rejects.toMatchObject(refused);
});

test.each([
  ["500", "unavailable"],
  ["503", "unavailable"],
  ["429", "rate_limited"],
  ["malformed", "malformed"],
  ["truncated", "malformed"],
  ["empty", "malformed"],
  ["wrong_tenant", "wrong_tenant"],
])("the fault %s is %s, and never “not found”", async (fault, kind) => {
  const bench = createBench();
  await bench.postJson("/faults", { party: "abr", fault, times: 1 });
  await expect(bench.businessRegister.findByAbn("53004085616")).rejects.toMatchObject({ party: "abr", kind });
  expect(await bench.businessRegister.findByAbn("53004085616")).toMatchObject({ isActive: true });
});

test("an entity can be put into the register", async () => {
  const bench = createBench();
  await bench.postJson("/abr/entities", { abn: "11000000948", entityName: "NEW PTY LTD", status: "Cancelled" });
  expect(await bench.businessRegister.findByAbn("11000000948")).toMatchObject({
    entityName: "NEW PTY LTD",
    isActive: false,
  });
});
