// Mutation tests of what decides about money: `npm run mutation`, or `npm run mutation -- --mutate PATH,PATH` for a few
// files. A command of its own, not part of `npm test`: it takes an hour or two. `npm run bench mutation` writes the figures.
export const PARTS = {
  rules: ["app/modules/rules/**/*.ts"],
  verifications: [
    "app/modules/payees/verifications/{evidence,grade,outcomes,review-flags,standing,verdict}.ts",
    "app/modules/verifying/{review/review,call-backs/call-back}.ts",
  ],
  payments: [
    "app/modules/payees/{second-person,payee-edit,whitelist/promotion}.ts",
    "app/modules/payments/payment.ts",
    "app/modules/payments/payment-files/{payment-file,paying-account,cleared-bytes}.ts",
  ],
  kernel: ["app/kernel/{abn,account-number,bsb,dates,money,payee}.ts"],
};

const part = process.env.MUTATION_PART;

export default {
  testRunner: "vitest",
  vitest: { configFile: "scripts/lib/mutation.vitest.config.mjs", related: true },
  mutate: [...(part ? PARTS[part] : Object.values(PARTS).flat()), "!**/*.server.ts", "!**/*.test.ts"],
  ignoreStatic: true,
  coverageAnalysis: "perTest",
  concurrency: 2,
  reporters: ["clear-text", "progress-append-only", "json"],
  jsonReporter: { fileName: `.stryker-tmp/${part ?? "mutation"}.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: ".stryker-tmp",
};
