import { expect, test } from "vitest";
import { describeOrigin, type NamedOrigin } from "./details-origin";

const ORIGIN: NamedOrigin = {
  system: "xero",
  cameAt: Date.UTC(2026, 10, 22, 14),
  editedBy: null,
  isEditorKnown: false,
  editors: [],
  connector: "Sam Lee",
};
const KNOWN: NamedOrigin = { ...ORIGIN, editedBy: "Jo Nguyen", isEditorKnown: true, editors: ["Jo Nguyen"] };
const reading = (secondPersonRequired: boolean, isApproved: boolean) => ({
  secondPersonRequired,
  isApproved,
  timeZone: "Australia/Sydney",
});

test.each<[string, NamedOrigin, boolean, boolean, string]>([
  [
    "unknown, waiting",
    ORIGIN,
    true,
    false,
    "It is not known who entered them there, so two people have to check: someone other than Sam Lee, who connected Xero, has to approve them, and a payment that the same person records waits for another person.",
  ],
  [
    "unknown, approved",
    ORIGIN,
    true,
    true,
    "It is not known who entered them there, so two people have to check: whoever approved them cannot pay them alone.",
  ],
  [
    "unknown, without the rule of a second person",
    ORIGIN,
    false,
    false,
    "It is not known who entered them there. Your organisation does not require a second person.",
  ],
  [
    "a name that nobody here has",
    { ...ORIGIN, editedBy: "J. N.", connector: null },
    true,
    false,
    "It is not known who entered them there (the last edit is by J. N.), so two people have to check: one person approves them, and a payment that the same person records waits for another person.",
  ],
  [
    "known, waiting",
    KNOWN,
    true,
    false,
    "Jo Nguyen edited the supplier there. Someone other than Jo Nguyen and Sam Lee, who connected Xero, has to approve them.",
  ],
  [
    "known, and the same person connected",
    { ...KNOWN, connector: "Jo Nguyen" },
    true,
    false,
    "Jo Nguyen edited the supplier there. Someone other than Jo Nguyen, who connected Xero, has to approve them.",
  ],
  ["known, approved", KNOWN, true, true, "Jo Nguyen edited the supplier there."],
  ["known, without the rule of a second person", KNOWN, false, false, "Jo Nguyen edited the supplier there."],
])("details from Xero, %s: the page says so, and who has to approve them", (_, origin, required, isApproved, text) => {
  expect(describeOrigin(origin, reading(required, isApproved))).toEqual({
    title: "These bank details came from Xero",
    text: `They arrived on 23 Nov 2026. ${text}`,
  });
});
