import { expect, test } from "vitest";
import { costFor, createScryptPasswords } from "./scrypt";

const passwords = createScryptPasswords({ N: 2, r: 1, p: 1 });

test("a password is verified against its hash, and a hash of another cost asks for a new one", async () => {
  const stored = await passwords.hash("Correct-horse-9");
  expect(await passwords.verify("Correct-horse-9", stored)).toEqual({ ok: true, needsRehash: false });
  expect(await passwords.verify("Correct-horse-8", stored)).toEqual({ ok: false, needsRehash: false });
  expect(await passwords.verify("Correct-horse-9", undefined)).toEqual({ ok: false, needsRehash: false });
  const stronger = createScryptPasswords({ N: 4, r: 1, p: 1 });
  expect(await stronger.verify("Correct-horse-9", stored)).toEqual({ ok: true, needsRehash: true });
});

test.each([
  ["test", "https://payeeproof.test", 2],
  ["test", "http://127.0.0.1:8787", 2],
  ["test", "http://localhost:8787", 2],
  ["local", "http://127.0.0.1:8787", 16_384],
  ["production", "http://localhost:8787", 16_384],
  ["production", "https://payeeproof.test", 16_384],
  ["test", "https://app.payeeproof.example", 16_384],
  ["test", "https://127.0.0.1.example", 16_384],
  ["test", "https://test.example", 16_384],
])("only tests hash cheaply, at an address that nobody else reaches: %s at %s", (APP_ENV, APP_ORIGIN, N) => {
  expect(costFor({ APP_ENV, APP_ORIGIN }).N).toBe(N);
});
