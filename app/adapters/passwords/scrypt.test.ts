import { expect, test } from "vitest";
import { createScryptPasswords } from "./scrypt";

const passwords = createScryptPasswords({ N: 2, r: 1, p: 1 });

test("a password is verified against its hash, and a hash of another cost asks for a new one", async () => {
  const stored = await passwords.hash("Correct-horse-9");
  expect(await passwords.verify("Correct-horse-9", stored)).toEqual({ ok: true, needsRehash: false });
  expect(await passwords.verify("Correct-horse-8", stored)).toEqual({ ok: false, needsRehash: false });
  expect(await passwords.verify("Correct-horse-9", undefined)).toEqual({ ok: false, needsRehash: false });
  const stronger = createScryptPasswords({ N: 4, r: 1, p: 1 });
  expect(await stronger.verify("Correct-horse-9", stored)).toEqual({ ok: true, needsRehash: true });
});
