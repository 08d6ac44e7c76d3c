import type { OutsideNotes } from "~/ports/operator";

const TIMEOUT_MS = 5_000;

/** Notes in a KV namespace. Source: https://developers.cloudflare.com/kv/api/ */
export function createKvNotes(namespace: KVNamespace): OutsideNotes {
  return {
    read: (key) => bounded(() => namespace.get(key)),
    write: (key, text, keptSeconds) =>
      bounded(() => namespace.put(key, text, keptSeconds === undefined ? {} : { expirationTtl: keptSeconds })),
    async list(prefix, cursor) {
      const page = await bounded(() => namespace.list({ prefix, cursor }));
      return { keys: page.keys.map(({ name }) => name), cursor: page.list_complete ? undefined : page.cursor };
    },
  };
}

async function bounded<T>(run: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the notes outside the database did not answer")), TIMEOUT_MS);
  });
  try {
    return await Promise.race([run(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
