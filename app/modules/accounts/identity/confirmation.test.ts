import { expect, test } from "vitest";
import { USER_STATUSES } from "~/kernel/enums";
import { confirmationState, mayBecomeActive, mayClaimDomain } from "./confirmation.server";

const link = { usedAt: null, expiresAt: 100, email: "mira@acme.example" };
const person = { email: "mira@acme.example", emailVerifiedAt: null, status: "active" as const };

test("a confirmation link is open until the instant it expires", () => {
  expect(confirmationState(link, person, 99)).toBe("open");
  expect(confirmationState(link, person, 100)).toBe("expired");
});

test("a used link says so, even after it would have expired", () => {
  expect(confirmationState({ ...link, usedAt: 1 }, person, 99)).toBe("used");
  expect(confirmationState({ ...link, usedAt: 1 }, person, 101)).toBe("used");
});

test("a second link is used up once the address is confirmed by another", () => {
  expect(confirmationState(link, { ...person, emailVerifiedAt: 50 }, 60)).toBe("used");
});

test("a link proves nothing about another address, and nothing for someone who may not come in", () => {
  expect(confirmationState(link, { ...person, email: "mira@other.example" }, 1)).toBe("unknown");
  expect(confirmationState(link, { ...person, status: "inactive" }, 1)).toBe("unknown");
});

test.each([
  [{ domain: "acme.example", isCreator: true, isClaimed: false }, true],
  [{ domain: "acme.example", isCreator: true, isClaimed: true }, false],
  [{ domain: "acme.example", isCreator: false, isClaimed: false }, false],
  [{ domain: "gmail.com", isCreator: true, isClaimed: false }, false],
])(
  "a domain is claimed by the creator's proof alone, once, and never from an email provider: %j",
  (claim, expected) => {
    expect(mayClaimDomain(claim)).toBe(expected);
  },
);

test("only a waiting person is approved by their domain, and never by an email provider's", () => {
  const admitted = USER_STATUSES.filter((status) =>
    mayBecomeActive({ status, domain: "acme.example", autoApprove: true }),
  );
  expect(admitted).toEqual(["pending"]);
  expect(mayBecomeActive({ status: "pending", domain: "acme.example", autoApprove: false })).toBe(false);
  expect(mayBecomeActive({ status: "pending", domain: "gmail.com", autoApprove: true })).toBe(false);
});
