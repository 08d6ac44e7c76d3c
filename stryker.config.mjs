// Mutation tests of what decides about money: `npm run mutation`, or `npm run mutation -- --mutate PATH` for a part. A
// command of its own, not part of `npm test`: it takes an hour.
export default {
  testRunner: "vitest",
  vitest: { configFile: "scripts/lib/mutation.vitest.config.mjs", related: true },
  mutate: [
    "app/modules/rules/**/*.ts",
    "app/modules/payees/verifications/{evidence,outcomes,review-flags,standing,verdict}.ts",
    "app/modules/payees/second-person.ts",
    "app/modules/payments/payment.ts",
    "app/modules/payees/whitelist/promotion.ts",
    "app/kernel/{abn,account-number,bsb,money,payee}.ts",
    "!**/*.server.ts",
    "!**/*.test.ts",
  ],
  ignoreStatic: true,
  coverageAnalysis: "perTest",
  concurrency: 2,
  reporters: ["clear-text", "progress-append-only", "json"],
  jsonReporter: { fileName: ".stryker-tmp/mutation.json" },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: ".stryker-tmp",
};
