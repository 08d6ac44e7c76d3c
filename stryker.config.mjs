// Mutation testing of the pure rules that guard money: `npx stryker run`. A separate command, not part of `npm test`.
export default {
  testRunner: "vitest",
  vitest: { configFile: "app/modules/verifications/name-match/mutation.vitest.config.mjs" },
  plugins: ["@stryker-mutator/vitest-runner"],
  mutate: [
    "app/modules/verifications/name-match/*.ts",
    "!app/modules/verifications/name-match/*.test.ts",
    "!app/modules/verifications/name-match/testing.ts",
    "!app/modules/verifications/name-match/explain.ts",
  ],
  ignorePatterns: ["**", "!app/modules/verifications/name-match/**", "!package.json", "!tsconfig.json"],
  ignoreStatic: true,
  coverageAnalysis: "perTest",
  concurrency: 2,
  timeoutMS: 4000,
  reporters: ["clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false },
  tempDirName: ".stryker-tmp",
};
