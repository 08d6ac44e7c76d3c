import { expect, test } from "vitest";
import { localEnv, providerVariables } from "./local-env.mjs";

const PLACE = { appOrigin: "http://127.0.0.1:8787", simulatorsOrigin: "http://127.0.0.1:8788" };
const SANDBOX = { BASIQ_BASE_URL: "https://au-api.basiq.io", BASIQ_API_KEY: "c2FuZGJveA==" };

test("without variables of the shell every outside party is a simulator", () => {
  const env = localEnv(PLACE, { BASIQ_API_KEY: "made-here" }, { HOME: "/home/jo" });
  expect(env).toMatchObject({ BASIQ_BASE_URL: "http://127.0.0.1:8788/basiq", BASIQ_API_KEY: "made-here" });
  expect(env).not.toHaveProperty("HOME");
});

test("a provider variable of the shell reaches the app, so that it can use a real sandbox", () => {
  expect(localEnv(PLACE, { BASIQ_API_KEY: "made-here" }, { ...SANDBOX, PATH: "/bin" })).toMatchObject(SANDBOX);
});

test("only a copy that tests start says so: no other value of the shell reaches the app", () => {
  expect(localEnv(PLACE, {}, { APP_ENV: "test" })).toMatchObject({ APP_ENV: "test" });
  for (const env of [{}, { APP_ENV: "" }, { APP_ENV: "production" }])
    expect(localEnv(PLACE, {}, env)).toMatchObject({ APP_ENV: "local" });
});

test("variables of the shell that are empty or belong to nobody are left out", () => {
  expect(providerVariables({ ...SANDBOX, STRIPE_SECRET_KEY: "", APP_ENV: "production", BASIQ: "x" })).toEqual(SANDBOX);
});
