// Mutation testing of the pure rules that guard money: `npx stryker run`. A separate command, not part of `npm test`.
export default {
  testRunner: "tables",
  plugins: ["./scripts/lib/table-test-runner.mjs"],
  mutate: [
    "app/modules/name-match/**/*.ts",
    "!app/modules/name-match/**/*.test.ts",
    "!app/modules/name-match/vocabulary/{abbreviations,flags,given-names,legal-forms,nicknames,organisations,places,surnames,titles}.ts",
    "!app/modules/name-match/*.server.ts",
    "!app/modules/name-match/testing.ts",
  ],
  ignorePatterns: [
    "**",
    "!app/kernel/**",
    "!app/modules/name-match/**",
    "!bench/names/generate.mjs",
    "!package.json",
    "!tsconfig.json",
  ],
  ignoreStatic: true,
  coverageAnalysis: "perTest",
  concurrency: 1,
  incremental: true,
  incrementalFile: ".stryker-tmp/incremental.json",
  timeoutMS: 4000,
  reporters: ["clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  tempDirName: ".stryker-tmp",
};
