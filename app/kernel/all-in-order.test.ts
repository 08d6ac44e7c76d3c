import { expect, test } from "vitest";
import { allInOrder } from "./all-in-order";

const later = (ms: number) => new Promise<number>((resolve) => setTimeout(resolve, ms, ms));

test("answers come in the order of the questions, and so does the refusal that is told", async () => {
  expect(await allInOrder([later(2), "known", later(1)])).toEqual([2, "known", 1]);
  const slow = later(2).then(() => Promise.reject(new Error("first")));
  await expect(allInOrder([later(1), slow, Promise.reject(new Error("second"))])).rejects.toThrow("first");
});
