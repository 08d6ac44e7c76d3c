import fc from "fast-check";
import { expect, test } from "vitest";
import { ORGANIZATION_ROLES, USER_ROLES, USER_STATUSES } from "~/kernel/enums";
import { accountAfter, actsFor, MEMBER_ACTS, type MemberChange, membershipAfter, removesAdmin } from "./members";

const place = fc.record({
  role: fc.constantFrom(...ORGANIZATION_ROLES),
  status: fc.constantFrom(...USER_STATUSES),
});
const account = fc.record({
  role: fc.constantFrom(...USER_ROLES),
  status: fc.constantFrom(...USER_STATUSES),
  organizationId: fc.constantFrom("here", "there", null),
});
const elsewhere = fc.option(
  fc.record({ organizationId: fc.constant("there"), role: fc.constantFrom(...ORGANIZATION_ROLES) }),
  {
    nil: undefined,
  },
);
const change: fc.Arbitrary<MemberChange> = fc.oneof(
  fc.record({ act: fc.constantFrom(...MEMBER_ACTS) }),
  fc.record({ act: fc.constant("change_role" as const), role: fc.constantFrom(...ORGANIZATION_ROLES) }),
);

test.each([
  ["pending", ["approve", "reject", "deactivate"]],
  ["active", ["deactivate"]],
  ["rejected", ["approve", "deactivate"]],
  ["inactive", ["reactivate"]],
] as const)("a person who is %s may be: %j", (status, acts) => {
  expect(actsFor(status)).toEqual(acts);
});

test("a change leads somewhere else or nowhere, and moves either role or status", () => {
  fc.assert(
    fc.property(place, change, (before, what) => {
      const after = membershipAfter(before, what);
      if (!after) return;
      const moved = [after.role !== before.role, after.status !== before.status];
      expect(moved).toEqual([what.act === "change_role", what.act !== "change_role"]);
    }),
  );
});

test("only an active admin's demotion or end takes an admin away", () => {
  fc.assert(
    fc.property(place, place, (before, after) => {
      const isAdmin = ({ role, status }: typeof before) => role === "admin" && status === "active";
      expect(removesAdmin(before, after)).toBe(isAdmin(before) && !isAdmin(after));
    }),
  );
});

test("nobody becomes or ceases to be a super admin by anything an organisation does", () => {
  fc.assert(
    fc.property(account, place, elsewhere, (before, now, other) => {
      const after = accountAfter(before, "here", now, other);
      expect(after.role === "super_admin").toBe(before.role === "super_admin");
    }),
  );
});

test("an organisation changes nothing about a person who is active in another one now", () => {
  fc.assert(
    fc.property(account, place, elsewhere, (before, now, other) => {
      fc.pre(before.organizationId === "there" && before.status === "active");
      expect(accountAfter(before, "here", now, other)).toEqual(before);
    }),
  );
});

test("while an organisation is the current one, the account is a copy of the place in it", () => {
  fc.assert(
    fc.property(account, place, elsewhere, (before, now, other) => {
      fc.pre(before.organizationId === "here" && now.status !== "inactive");
      const after = accountAfter(before, "here", now, other);
      expect(after).toMatchObject({ status: now.status, organizationId: "here" });
      if (before.role !== "super_admin") expect(after.role).toBe(now.role);
    }),
  );
});

test("who is shut out is never left as the current organisation's active person", () => {
  fc.assert(
    fc.property(account, place, elsewhere, (before, now, other) => {
      fc.pre(before.organizationId === "here");
      const after = accountAfter(before, "here", { ...now, status: "inactive" }, other);
      expect(after.status === "active" && after.organizationId === "here").toBe(false);
    }),
  );
});
