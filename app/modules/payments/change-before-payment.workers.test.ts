import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { reviewVerification } from "~/modules/verifying/review/review.server";
import { aTickingClock } from "../../../tests/support/clock";
import { aMember } from "../../../tests/support/factories";
import { details } from "../../../tests/support/payees";
import { aNewPayment, aPayment, aTrustedPayee } from "../../../tests/support/payments";
import { testServices } from "../../../tests/support/services";
import { getPayment } from "./payment.server";
import { findChangeBefore, phoneBefore } from "./payment-page.server";
import { recordPayment } from "./record-payment.server";

const change = (field: string, oldValue: string | null, daysAgo: number) => ({
  field,
  oldValue,
  newValue: "new",
  userName: "Robin",
  createdAt: 1_000 * DAY_MS - daysAgo * DAY_MS,
});

test.each([
  ["nothing changed", [], "+61399990000"],
  ["only the account changed", [change("accountNumber", "1", 1)], "+61399990000"],
  ["the number changed after the account", [change("phone", "old", 0), change("bsb", "062000", 1)], "old"],
  ["the number changed 29 days before", [change("bsb", "062000", 1), change("phone", "old", 30)], "old"],
  ["the number changed long before", [change("bsb", "062000", 1), change("phone", "old", 32)], "+61399990000"],
  ["it changed twice", [change("phone", "second", 0), change("bsb", "0", 1), change("phone", "first", 2)], "first"],
  ["there was none before", [change("phone", null, 0), change("bsb", "0", 1)], null],
])("the number known before the change when %s", (_, changes, expected) => {
  expect(phoneBefore(changes, "+61399990000")).toBe(expected);
});

test("a held payment tells how its payee came to its account, until it is over", async () => {
  const services = testServices();
  const actor = await aMember(services);
  const { payeeId } = await aTrustedPayee(services, actor, { phone: "+61399990000" });
  const payment = await aPayment(services, actor, payeeId);
  expect(await findChangeBefore(services, actor, payment)).toBeNull();
  await editPayee(services, actor, { payeeId, patch: { accountNumber: details().accountNumber } });
  await editPayee(services, actor, { payeeId, patch: { phone: "+61488880000" } });
  const told = await findChangeBefore(services, actor, { ...payment, status: "held" });
  expect(told?.story.lines).toMatchObject([{ field: "Account number" }]);
  expect(told?.story.contact?.lines).toMatchObject([{ field: "Phone" }]);
  expect(told?.phone).toContain("9999 0000");
  expect(await findChangeBefore(services, actor, { ...payment, status: "rejected" })).toBeNull();
  const { accountName, bsb, accountNumber } = payment;
  const to = { accountName, bsb, accountNumber };
  const { payment: toFormer } = await recordPayment(services, actor, { payment: aNewPayment(to) });
  expect((await findChangeBefore(services, actor, toFormer))?.story).toEqual(told?.story);
});

test("account and phone changed in one edit, while the clock moves: the number before is told, reviewed or not", async () => {
  const services = { ...testServices(), clock: aTickingClock() };
  const actor = await aMember(services);
  const { payeeId } = await aTrustedPayee(services, actor, { phone: "+61399990000" });
  const { accountNumber } = details();
  await editPayee(services, actor, { payeeId, patch: { phone: "+61488880000", accountNumber } });
  const payment = await aPayment(services, actor, payeeId);
  const before = await findChangeBefore(services, actor, payment);
  const { latest } = await getPayment(services, actor, payment.id);
  const review = { approved: true, addToGlobalWhitelist: false, reason: "Called the number in the contract" };
  await reviewVerification(services, actor, { verificationId: latest?.id ?? "", review });
  const after = await findChangeBefore(services, actor, await getPayment(services, actor, payment.id));
  for (const told of [before, after]) {
    expect(told?.story.lines).toMatchObject([{ field: "Account number" }]);
    expect(told?.phone).toContain("9999 0000");
  }
});
