import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { createFileStore } from "./file-store";

const aFile = async () => path.join(await mkdtemp(path.join(tmpdir(), "simulators-")), "state", "simulators.json");

test("what was saved is there after a restart, and no half-written file", async () => {
  const file = await aFile();
  const store = createFileStore(file);
  const state: Record<string, unknown> = { mail: [1] };
  store.save(state);
  state.mail = [1, 2];
  store.save(state);
  await store.flush();
  expect(await createFileStore(file).load()).toEqual({ mail: [1, 2] });
  expect(await readdir(path.dirname(file))).toEqual(["simulators.json"]);
});

test("without a file there is no state", async () => {
  expect(await createFileStore(await aFile()).load()).toBeUndefined();
});

test("a file that cannot be read is named", async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), "simulators-")), "simulators.json");
  await writeFile(file, "{");
  await expect(createFileStore(file).load()).rejects.toThrow(file);
});
