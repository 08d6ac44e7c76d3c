/** The dependency rule (ARCHITECTURE.md): imports point one way. The order of the modules: tests/modules.test.ts. */
const PURE = "^app/modules/[^/]+/(?!.*[.]server[.])(?!.*[.]test[.]).*[.]tsx?$";
const TESTS = "[.]test[.]tsx?$";

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    forbid("no-circles", "Files that import each other are one file.", {}, { circular: true }),
    forbid(
      "kernel-sees-nothing",
      "The kernel imports nothing of ours.",
      { path: "^app/kernel/", pathNot: TESTS },
      { path: "^(app/(?!kernel/)|db/|workers/)" },
    ),
    forbid(
      "pure-sees-kernel",
      "Rules know neither database nor platform.",
      { path: PURE },
      { path: "^(app/(?!kernel/|modules/|services)|db/|workers/)" },
    ),
    forbid(
      "pure-stays-pure",
      "Rules do not import what only the server may.",
      { path: PURE },
      { path: "[.]server[.]tsx?$" },
    ),
    forbid(
      "modules-stay-inside",
      "A module's server files see db, kernel, emails and other modules; never http, routes, adapters or components.",
      { path: "^app/modules/.*[.]server[.]tsx?$", pathNot: TESTS },
      { path: "^(app/(http|routes|adapters|components)/|workers/)" },
    ),
    forbid(
      "commands-never-call-commands",
      "A command assembles one batch from statement builders. Work that is put off, what follows the card provider, the renewal of a token, the end of a sync that failed and the steps of a file's check are whole by themselves: docs/decisions/0007, 0016, 0030.",
      { path: "^app/modules/.*[.]commands[.]server[.]tsx?$", pathNot: TESTS },
      {
        path: "^app/modules/.*[.]commands[.]server[.]tsx?$",
        pathNot:
          "^app/modules/(commands/|(billing/(sync-billing|attempts)|integrations/(tokens|sync-failures)|payment-files/check-steps)[.])",
      },
    ),
    forbid(
      "only-run-command-commits",
      "Everything that is written goes through runCommand, runStep or runStatement.",
      { path: "^(app|db|workers)/", pathNot: `^app/modules/commands/run-command[.]server[.]ts$|${TESTS}` },
      { path: "^db/commit[.]ts$" },
    ),
    forbid(
      "adapters-see-ports",
      "An adapter knows its port and kernel.",
      { path: "^app/adapters/", pathNot: TESTS },
      { path: "^(app/(http|routes|components|emails)/|app/modules/.*[.]server[.]|db/|workers/)" },
    ),
    forbid(
      "components-draw",
      "Components see components, kernel and rules; they never fetch.",
      { path: "^app/components/", pathNot: TESTS },
      { path: "^(app/(http|routes|adapters|emails)/|app/modules/.*[.]server[.]|db/|workers/)" },
    ),
    forbid(
      "emails-draw",
      "Emails see components and kernel.",
      { path: "^app/emails/" },
      { path: "^(app/(http|routes|adapters|modules)/|db/|workers/)" },
    ),
    forbid(
      "http-sees-identity",
      "http sees identity, db and kernel.",
      { path: "^app/http/", pathNot: TESTS },
      { path: "^(app/(routes|adapters|components|emails)/|workers/|app/modules/(?!identity/))" },
    ),
    forbid(
      "routes-hold-no-sql",
      "Routes guard, parse, call one command or query, answer.",
      { path: "^app/routes/", pathNot: TESTS },
      {
        path: "^(db/|workers/|app/adapters/(?!(accounting|bank-data|mail|sms)/[a-z]+-webhook)|node_modules/drizzle-orm)",
      },
    ),
    forbid(
      "db-sees-kernel",
      "The schema knows the kernel, and the shapes of what it stores as types.",
      { path: "^db/", pathNot: TESTS },
      { path: "^(app/(?!kernel/|modules/)|workers/)" },
    ),
    forbid(
      "db-takes-types-only",
      "Only the shapes of stored JSON come from modules.",
      { path: "^db/", pathNot: TESTS },
      { path: "^app/modules/", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "nobody-imports-routes",
      "Nobody imports routes.",
      { pathNot: "^(app/routes/|tests/)|[.]test[.]tsx?$" },
      { path: "^app/routes/" },
    ),
    forbid(
      "nobody-imports-workers",
      "Nobody imports workers.",
      { path: "^(app|db)/", pathNot: TESTS },
      { path: "^workers/" },
    ),
    forbid(
      "platform-stays-outside",
      "Modules and data run on Node too.",
      { path: "^(app/modules|db)/", pathNot: "[.]workers[.]test[.]ts$" },
      { path: "^cloudflare:" },
    ),
  ],
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(build|public)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
