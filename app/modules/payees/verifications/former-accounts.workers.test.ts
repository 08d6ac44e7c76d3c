import { expect, test } from "vitest";
import { DAY_MS } from "~/kernel/dates";
import type { Account } from "~/kernel/payee";
import { archivePayee } from "~/modules/payees/archive-payee.server";
import { editPayee } from "~/modules/payees/edit-payee.server";
import { aMember } from "../../../../tests/support/factories";
import { anAddedPayee, details } from "../../../../tests/support/payees";
import { testServices } from "../../../../tests/support/services";
import { findFormerHolders, formerHoldersBesides, ownFormerUntil } from "./evidence.server";

/** Finds which payees had an account before. */

async function anOrganizationWithPayee(name = "Cassowary Cleaning") {
  const services = testServices();
  const actor = await aMember(services);
  const payee = await anAddedPayee(services, actor, { name });
  const { bsb, accountNumber } = payee.details;
  const ask = async (account: Account) => (await findFormerHolders(services, actor.organizationId, [account]))(account);
  const move = (patch: { bsb?: string; accountNumber?: string }) => {
    services.clock.advance(DAY_MS);
    return editPayee(services, actor, { payeeId: payee.payeeId, patch });
  };
  return { services, actor, payeeId: payee.payeeId, account: { bsb, accountNumber }, ask, move };
}

const another = () => details().accountNumber;

test("an account that a payee gave up is its former one, however the number is written", async () => {
  const { services, payeeId, account, ask, move } = await anOrganizationWithPayee();
  expect(await ask(account)).toEqual([]);
  await move({ accountNumber: another() });
  const holder = { payeeId, name: "Cassowary Cleaning", until: services.clock.now(), isArchived: false };
  expect(await ask(account)).toEqual([holder]);
  expect(await ask({ ...account, accountNumber: `0${account.accountNumber}` })).toEqual([holder]);
  expect(await ask({ ...account, bsb: "083170" })).toEqual([]);
});

test("an account number that stayed while the BSB changed is a former account too", async () => {
  const { payeeId, account, ask, move } = await anOrganizationWithPayee();
  await move({ bsb: "083170" });
  expect(await ask(account)).toMatchObject([{ payeeId }]);
  expect(await ask({ ...account, bsb: "083170" })).toEqual([]);
});

test("an account between two edits, and of a payee that was archived since, is found", async () => {
  const { services, actor, payeeId, account, ask, move } = await anOrganizationWithPayee();
  const between = another();
  const last = another();
  await move({ accountNumber: between });
  await move({ accountNumber: last });
  services.clock.advance(DAY_MS);
  await archivePayee(services, actor, payeeId);
  expect(await ask({ ...account, accountNumber: between })).toMatchObject([{ payeeId, isArchived: false }]);
  expect(await ask(account)).toMatchObject([{ payeeId, isArchived: false }]);
  expect(await ask({ ...account, accountNumber: last })).toEqual([
    { payeeId, name: "Cassowary Cleaning", until: services.clock.now(), isArchived: true },
  ]);
});

test("the account of an archived payee that never changed is found", async () => {
  const { services, actor, payeeId, account, ask } = await anOrganizationWithPayee();
  await archivePayee(services, actor, payeeId);
  expect(await ask(account)).toMatchObject([{ payeeId, isArchived: true }]);
});

test("several payees had the account: the last one comes first, and the payee itself is told apart", async () => {
  const { services, actor, payeeId, account, ask, move } = await anOrganizationWithPayee();
  await move({ accountNumber: another() });
  const gaveUp = services.clock.now();
  const next = await anAddedPayee(services, actor, { ...account, name: "Bowerbird Events" });
  services.clock.advance(DAY_MS);
  await editPayee(services, actor, { payeeId: next.payeeId, patch: { accountNumber: another() } });
  const holders = await ask(account);
  expect(holders.map(({ name }) => name)).toEqual(["Bowerbird Events", "Cassowary Cleaning"]);
  expect(formerHoldersBesides(holders, payeeId).map(({ name }) => name)).toEqual(["Bowerbird Events"]);
  expect(ownFormerUntil(holders, payeeId)).toBe(gaveUp);
  expect(ownFormerUntil(holders, "someone else")).toBeUndefined();
});

test("a payee that went back to an account of its own is no other payee", async () => {
  const { services, payeeId, account, ask, move } = await anOrganizationWithPayee();
  await move({ accountNumber: another() });
  const gaveUp = services.clock.now();
  await move({ accountNumber: account.accountNumber });
  const holders = await ask(account);
  expect(formerHoldersBesides(holders, payeeId)).toEqual([]);
  expect(ownFormerUntil(holders, payeeId)).toBe(gaveUp);
});

test("another organisation's payees say nothing", async () => {
  const { services, account, move } = await anOrganizationWithPayee();
  await move({ accountNumber: another() });
  const stranger = await aMember(services);
  expect((await findFormerHolders(services, stranger.organizationId, [account]))(account)).toEqual([]);
});
