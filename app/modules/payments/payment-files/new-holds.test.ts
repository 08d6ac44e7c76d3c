import fc from "fast-check";
import { expect, test } from "vitest";
import { FILE_FORMATS, FILE_STATUSES } from "~/kernel/enums";
import type { PaymentReason } from "~/modules/rules/payment-holds";
import { canBeAbandoned, type FileLine, findNewHolds, isDecidable, nameWidthOf, summariseLines } from "./payment-file";

/** How the lines of a file relate to each other, and which findings are new to a person who approved a line. */

const ACCOUNT = { accountName: "Wattle Creek", bsb: "062000", accountNumber: "12345678" };
const line = (number: number, given: Partial<FileLine> = {}): FileLine => ({
  ...{ line: number, ...ACCOUNT, amount: 125_000, reference: "INV-7", newDetails: false },
  ...given,
});
const saidOf = (lines: readonly FileLine[]) => lines.map(summariseLines(lines));
const NOTHING = { otherTitles: [], earlierLine: null };

test.each<[string, FileLine, boolean]>([
  ["the very same", line(9), true],
  ["its number with a leading zero", line(9, { accountNumber: "012345678" }), true],
  ["its reference written otherwise", line(9, { reference: "inv 007" }), true],
  ["its reference with another number", line(9, { reference: "INV-8" }), false],
  ["a cent more", line(9, { amount: 125_001 }), false],
  ["another number", line(9, { accountNumber: "12345679" }), false],
  ["the same number at another BSB", line(9, { bsb: "062001" }), false],
])(
  "a line is a repeat of the first one that pays the same account the same for the same: %s",
  (_, second, isRepeat) => {
    const first = line(4);
    expect(saidOf([first, second])).toEqual([NOTHING, { otherTitles: [], earlierLine: isRepeat ? 4 : null }]);
  },
);

test("of three equal lines both later ones name the first, wherever another account stands between them", () => {
  const between = line(2, { accountNumber: "11223344" });
  const said = saidOf([line(1), between, line(3), line(4)]);
  expect(said.map(({ earlierLine }) => earlierLine)).toEqual([null, null, 1, 1]);
});

test("titles of one account are others where they differ in more than case, accents and blanks, as they first stand", () => {
  const named = (number: number, accountName: string) => line(number, { accountName, reference: `R${number}` });
  const lines = [named(1, "Café Rosella"), named(2, "CAFE  ROSELLA"), named(3, "J Miller"), named(4, "J MILLER")];
  expect(saidOf(lines).map(({ otherTitles }) => otherTitles)).toEqual([
    ["J Miller"],
    ["J Miller"],
    ["Café Rosella"],
    ["Café Rosella"],
  ]);
});

test("lines to different accounts say nothing of each other", () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1_000, max: 999_999_999 }), { maxLength: 8 });
  fc.assert(
    fc.property(numbers, (all) => {
      const lines = all.map((number, index) => line(index + 1, { accountNumber: String(number) }));
      expect(saidOf(lines)).toEqual(lines.map(() => NOTHING));
    }),
  );
});

const reason = (rule: string, given: Partial<PaymentReason> = {}): PaymentReason => ({
  ...{ rule, level: "hold", message: "Look at it.", evidence: { payeeId: "p1" } },
  ...given,
});
const KNOWN = [reason("payee_disputed"), reason("unusual_amount", { level: "warn" })];

test.each<[string, PaymentReason, boolean]>([
  ["the one that was approved", reason("payee_disputed"), false],
  ["the same in other words", reason("payee_disputed", { message: "It says no." }), false],
  ["a warning that was on the line and holds by now", reason("unusual_amount"), false],
  ["the same on other evidence", reason("payee_disputed", { evidence: { payeeId: "p2" } }), true],
  ["another rule on the same evidence", reason("bank_answer"), true],
  ["a warning that is new", reason("bank_answer", { level: "warn" }), false],
])("a line that a person approved is held again only for what they did not know: %s", (_, found, isNew) => {
  expect(findNewHolds({ isApproved: true, reasons: KNOWN }, [found])).toEqual(isNew ? [found] : []);
});

test("a line that nobody approved is held for everything that holds, known or not", () => {
  expect(findNewHolds({ isApproved: false, reasons: KNOWN }, [...KNOWN, reason("bank_answer")])).toEqual([
    reason("payee_disputed"),
    reason("bank_answer"),
  ]);
});

test("lines are decided while a file is open or cleared, and a file is given up only while nothing of it may be at the bank", () => {
  expect(FILE_STATUSES.filter(isDecidable).sort()).toEqual(["cleared", "open"]);
  const unsent = FILE_STATUSES.filter((status) => canBeAbandoned({ status, clearedCount: 0 }));
  expect(unsent.sort()).toEqual(["checking", "open"]);
  expect(FILE_STATUSES.filter((status) => canBeAbandoned({ status, clearedCount: 1 }))).toEqual([]);
});

test("only a direct entry file cuts names", () => {
  expect(FILE_FORMATS.map((format) => [format, nameWidthOf(format)])).toEqual([
    ["aba", 32],
    ["csv", null],
    ["pasted", null],
  ]);
});
