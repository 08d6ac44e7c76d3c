import { expect } from "vitest";
import { aDirectEntryFile } from "../support/aba-files";
import { type ApiClient, apiClient, until } from "../support/api-client";
import { PASSWORD } from "../support/journey";
import type { Session } from "./webdriver";

export const SUPPLIERS = ["Albany Awnings", "Broome Bricks", "Cairns Catering", "Dubbo Drains", "Esperance Energy"];

/**
 * An organisation with payees, verifications, payments and files.
 * @returns the person's own way to the app
 */
export async function makeOffice(origin: string, email: string): Promise<ApiClient> {
  const client = apiClient(origin);
  const person = { email, firstName: "Sam", password: PASSWORD, newOrganization: { name: `Office of ${email}` } };
  expect((await client.post("/api/register", person)).status).toBe(201);
  for (const [at, name] of SUPPLIERS.entries()) {
    const payee = { name, accountName: `${name} Pty Ltd`, bsb: "062-000", accountNumber: `6600000${at}` };
    const { body } = await client.post("/api/payees", payee);
    const payment = { payeeId: body.payee.id, amount: 10_000 + at, reference: `R-${at}` };
    expect((await client.post("/api/payments", payment)).status).toBe(201);
    const line = { title: `${name} Pty Ltd`, accountNumber: payee.accountNumber, amount: 500, reference: `F-${at}` };
    const { body: uploaded } = await client.send(`/api/payment-files?name=run-${at}.aba`, aDirectEntryFile([line]));
    // The page of a file that is still being checked loads itself again.
    const read = async () => (await client.get(`/api/payment-files/${uploaded.file.id}`)).body.file.status;
    await until(read, (status) => status === "open", "a file that is checked");
  }
  return client;
}

export async function signInBy(session: Session, origin: string, email: string): Promise<void> {
  await session.visit(`${origin}/auth`);
  await session.type("main [name=email]", email);
  await session.type("main [name=password]", `${PASSWORD}\uE007`);
  await session.until("the dashboard", () => location.pathname === "/dashboard");
}
