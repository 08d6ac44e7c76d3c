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
  const { links, accountLinks, adminLinks } = menusFor(viewer);
  return [links, accountLinks, adminLinks].map((items) => items.map((item) => item.label));
};

const MAIN = ["Dashboard", "Payee Verification", "Manage Payees", "Payments", "Payment files"];
const ACCOUNT = ["Profile", "Organisation", "Settings", "Reports", "Audit trail"];

test.each([
  ["a member", member, MAIN, ACCOUNT, []],
  ["an admin", { ...member, role: "admin" }, MAIN, ACCOUNT, ["Users"]],
  [
    "a super admin",
    { ...member, role: "super_admin" },
    MAIN,
    ACCOUNT,
    ["Users", "Organizations", "BSB directory", "Operations", "Restores"],
  ],
  [
    "a super admin of no organisation",
    { ...member, role: "super_admin", organizationName: null },
    ["Users", "Organizations", "BSB directory", "Operations", "Restores"],
    ["Profile"],
    ["Users", "Organizations", "BSB directory", "Operations", "Restores"],
  ],
  ["somebody of several", { ...member, hasSeveralOrganizations: true }, MAIN, [...ACCOUNT, "Switch organisation"], []],
  ["a pending admin", { ...member, role: "admin", status: "pending" }, [], ["Profile"], []],
  ["an admin of a suspended organisation", { ...member, role: "admin", isSuspended: true }, [], ["Profile"], []],
  [
    "a super admin in a suspended organisation",
    { ...member, role: "super_admin", isSuspended: true },
    ["Users", "Organizations", "BSB directory", "Operations", "Restores"],
    ["Profile"],
    ["Users", "Organizations", "BSB directory", "Operations", "Restores"],
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
