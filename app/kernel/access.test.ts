import { expect, test } from "vitest";
import { USER_STATUSES } from "~/kernel/enums";
import { type Need, refusalOf, type Standing } from "./access";

const NEEDS: readonly Need[] = ["look", "change", "administer", "people", "platform"];

const member: Standing = {
  status: "active",
  role: "member",
  organizationId: "o",
  organizationRole: "member",
  isSuspended: false,
  needsTwoStep: false,
};
const admin: Standing = { ...member, role: "admin", organizationRole: "admin" };
const readOnly: Standing = { ...member, role: "read_only", organizationRole: "read_only" };
const superAdmin: Standing = { ...member, role: "super_admin", organizationId: null, organizationRole: null };

const codesOf = (person: Standing) => NEEDS.map((need) => refusalOf(person, need)?.code ?? "yes");

test.each([
  ["an admin", admin, ["yes", "yes", "yes", "yes", "SUPER_ADMIN_REQUIRED"]],
  ["a member", member, ["yes", "yes", "ADMIN_REQUIRED", "ADMIN_REQUIRED", "SUPER_ADMIN_REQUIRED"]],
  ["a reader", readOnly, ["yes", "READ_ONLY", "ADMIN_REQUIRED", "ADMIN_REQUIRED", "SUPER_ADMIN_REQUIRED"]],
  [
    "somebody without an organisation",
    { ...member, organizationId: null, organizationRole: null },
    ["yes", "ORGANIZATION_REQUIRED", "ORGANIZATION_REQUIRED", "ORGANIZATION_REQUIRED", "SUPER_ADMIN_REQUIRED"],
  ],
  [
    "a super admin of no organisation",
    superAdmin,
    ["yes", "ORGANIZATION_REQUIRED", "ORGANIZATION_REQUIRED", "yes", "yes"],
  ],
  [
    "a super admin invited to read",
    { ...superAdmin, organizationId: "o", organizationRole: "read_only" },
    ["yes", "READ_ONLY", "ADMIN_REQUIRED", "yes", "yes"],
  ],
  [
    "a super admin invited as admin",
    { ...superAdmin, organizationId: "o", organizationRole: "admin" },
    ["yes", "yes", "yes", "yes", "yes"],
  ],
  [
    "an admin who must set up two-step sign-in first",
    { ...admin, needsTwoStep: true },
    ["yes", ...Array(3).fill("TWO_STEP_REQUIRED"), "SUPER_ADMIN_REQUIRED"],
  ],
  [
    "an admin of a suspended organisation",
    { ...admin, isSuspended: true },
    [...Array(4).fill("ORGANIZATION_SUSPENDED"), "SUPER_ADMIN_REQUIRED"],
  ],
] satisfies [string, Standing, string[]][])("what %s may do", (_, person, codes) => {
  expect(codesOf(person)).toEqual(codes);
});

test.each(USER_STATUSES.filter((status) => status !== "active"))(
  "a %s person may do nothing, whatever their role",
  (status) => {
    for (const person of [member, admin, readOnly, superAdmin]) {
      expect(new Set(codesOf({ ...person, status }))).toEqual(new Set([`ACCOUNT_${status.toUpperCase()}`]));
    }
  },
);
