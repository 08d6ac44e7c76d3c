import { expect, test } from "vitest";
import type { Person } from "~/services-and-actor";
import { needsOrganizationSelection, toUserJson } from "./profile.server";

const person: Person = {
  userId: "u",
  sessionId: "s",
  username: "mira",
  email: "mira@acme.example",
  emailVerified: true,
  firstName: "Mira",
  lastName: "",
  status: "active",
  role: "member",
  organizationId: null,
  organizationName: null,
  organizationRole: null,
  timeZone: "Australia/Sydney",
  hasSeveralOrganizations: false,
  isSuspended: false,
  twoStepEnabled: false,
  needsTwoStep: false,
  origin: { ipAddress: null, userAgent: null, requestId: "r" },
};

test("the user is exactly what the interface names, and the session is not in it", () => {
  const pending = [
    { id: "o", name: "Acme", logo: null, subdomain: null },
    { id: "p", name: "Pier", logo: "/pier.svg", subdomain: "pier" },
  ];
  expect(toUserJson(person, pending)).toEqual({
    id: "u",
    username: "mira",
    email: "mira@acme.example",
    emailVerified: true,
    firstName: "Mira",
    lastName: "",
    organizationId: null,
    needsOrganizationSelection: true,
    role: "member",
    status: "active",
    pendingOrganizations: [
      { id: "o", name: "Acme" },
      { id: "p", name: "Pier", logo: "/pier.svg", subdomain: "pier" },
    ],
    twoStepEnabled: false,
  });
});

test("every person but a super admin has to belong somewhere", () => {
  expect(needsOrganizationSelection({ organizationId: "o", role: "member" })).toBe(false);
  expect(needsOrganizationSelection({ organizationId: null, role: "super_admin" })).toBe(false);
});

test("two-step sign-in is told as it is", () => {
  expect(toUserJson({ ...person, twoStepEnabled: true }, []).twoStepEnabled).toBe(true);
});
