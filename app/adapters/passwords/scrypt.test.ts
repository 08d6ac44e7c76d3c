import { expect, test } from "vitest";
import { AppError } from "~/kernel/app-error";
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

test("a flood of sign-ins is told to try again, and there is room again afterwards", async () => {
  const results = await Promise.allSettled(Array.from({ length: 200 }, () => passwords.verify("Guess-1", undefined)));
  const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refusals).toHaveLength(200 - 64);
  for (const refusal of refusals) {
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: "BUSY", status: 503, retryAfterSeconds: 5 });
  }
  expect(await passwords.verify("Guess-1", undefined)).toEqual({ ok: false, needsRehash: false });
});
