import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { SimulatorState, SimulatorStore } from "./store";

const WRITE_AFTER_MS = 100;

/** Stores the state in one file after each change, replaced as a whole: a crash never leaves half of it. */
export function createFileStore(file: string): SimulatorStore & { flush(): Promise<void> } {
  let changed: SimulatorState | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(async () => {
      if (!changed) return;
      const text = JSON.stringify(changed);
      changed = undefined;
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    });
    return writing;
  }

  return {
    async load() {
      try {
        return JSON.parse(await readFile(file, "utf8"));
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw new Error(`Cannot read ${file}: remove it to start again`, { cause: error });
      }
    },
    save(state) {
      changed = state;
      timer ??= setTimeout(() => {
        flush().catch((error) => console.error("simulators: the state was not written", error));
      }, WRITE_AFTER_MS);
    },
    flush,
  };
}
