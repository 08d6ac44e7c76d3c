import { expect, test } from "vitest";
import { isOpenTo, menusFor, type Viewer } from "./viewer";

const member: Viewer = {
  role: "member",
  status: "active",
  isSuspended: false,
  organizationName: "Harbour Joinery",
  hasSeveralOrganizations: false,
};
const labels = (viewer: Viewer) => {
  const { entries, accountLinks, adminLinks, platformLinks } = menusFor(viewer);
  return [entries, accountLinks, [...adminLinks, ...platformLinks]].map((items) => items.map(({ label }) => label));
};

const MAIN = ["Dashboard", "Payee Verification", "Manage Payees", "Payments", "Records"];
const ACCOUNT = ["Profile", "Organisation", "Settings"];

test.each([
  ["a member", member, MAIN, ACCOUNT, []],
  ["an admin", { ...member, role: "admin" }, MAIN, ACCOUNT, ["Users"]],
  [
    "a super admin",
    { ...member, role: "super_admin" },
    MAIN,
    ACCOUNT,
    ["Users", "Organizations", "Operations", "Restores", "Data requests", "BSB directory"],
  ],
  [
    "a super admin of no organisation",
    { ...member, role: "super_admin", organizationName: null },
    ["Users", "Organizations", "Operations", "Restores", "Data requests", "BSB directory"],
    ["Profile"],
    ["Users", "Organizations", "Operations", "Restores", "Data requests", "BSB directory"],
  ],
  ["somebody of several", { ...member, hasSeveralOrganizations: true }, MAIN, [...ACCOUNT, "Switch organisation"], []],
  ["a pending admin", { ...member, role: "admin", status: "pending" }, [], ["Profile"], []],
  ["an admin of a suspended organisation", { ...member, role: "admin", isSuspended: true }, [], ["Profile"], []],
  [
    "a super admin in a suspended organisation",
    { ...member, role: "super_admin", isSuspended: true },
    ["Users", "Organizations", "Operations", "Restores", "Data requests", "BSB directory"],
    ["Profile"],
    ["Users", "Organizations", "Operations", "Restores", "Data requests", "BSB directory"],
  ],
] as [string, Viewer, string[], string[], string[]][])("the menus of %s", (_, viewer, ...menus) => {
  expect(labels(viewer)).toEqual(menus);
});

test.each([
  ["/payees", member, true],
  ["/payees", { ...member, status: "pending" }, false],
  ["/profile", { ...member, status: "pending" }, true],
  ["/profile/sessions", { ...member, isSuspended: true }, true],
  ["/settings", { ...member, isSuspended: true }, false],
  ["/admin/users", { ...member, role: "super_admin", isSuspended: true }, true],
  ["/admin/users", { ...member, role: "super_admin", status: "pending" }, false],
  ["/admin/organizations", { ...member, role: "super_admin", organizationName: null }, true],
  ["/payees", { ...member, role: "super_admin", organizationName: null }, false],
  ["/profile", { ...member, role: "super_admin", organizationName: null }, true],
  ["/administer", { ...member, role: "super_admin", isSuspended: true }, false],
] as [string, Viewer, boolean][])("%s is drawn, or a notice in its place", (pathname, viewer, isOpen) => {
  expect(isOpenTo(viewer, pathname)).toBe(isOpen);
});
