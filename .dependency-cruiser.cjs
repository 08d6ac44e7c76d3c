/** The dependency rule (ARCHITECTURE.md): values are imported one way. Types may be imported from anywhere. */
const TESTS = "[.]test[.]tsx?$";
const PURE = "^app/modules/(?!.*[.]server[.])(?!.*[.]test[.]).*[.]tsx?$";
const PORTS = "^app/ports/";

const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: "error",
  from: { pathNot: TESTS, ...from },
  to: { dependencyTypesNot: ["type-only"], ...to },
});

/** Each area may import values from those above it; why in this order: ARCHITECTURE.md. */
const AREAS = [
  "core",
  "name-match",
  "rules",
  "directories",
  "messages",
  "accounts",
  "payees",
  "verifying",
  "payments",
  "connections",
  "records",
];

const order = AREAS.slice(0, -1).map((area, index) =>
  forbid(
    `${area}-comes-before`,
    `${area} knows only what it builds on.`,
    { path: `^app/modules/${area}/` },
    { path: `^app/modules/(${AREAS.slice(index + 1).join("|")})/` },
  ),
);

module.exports = {
  forbidden: [
    ...order,
    forbid(
      "every-module-is-in-an-area",
      "A new area has its place in the order.",
      { path: `^app/modules/(?!(${AREAS.join("|")})/)` },
      {},
    ),
    {
      name: "no-circles",
      comment: "Files that need each other's values are one file.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    forbid(
      "kernel-sees-nothing",
      "The kernel imports nothing of ours.",
      { path: "^app/kernel/" },
      { path: "^(app/(?!kernel/)|db/|workers/)" },
    ),
    forbid(
      "ports-see-kernel",
      "A port says what an outside party must do.",
      { path: PORTS },
      { path: "^(app/(?!kernel/|ports/)|db/|workers/)" },
    ),
    forbid(
      "services-know-ports",
      "What commands are given is described by ports and the database, not by modules.",
      { path: "^app/services-and-actor[.]ts$" },
      { path: "^app/modules/", dependencyTypesNot: [] },
    ),
    forbid(
      "pure-stays-pure",
      "Rules know neither database nor platform, and nothing that only the server may.",
      { path: PURE },
      { path: "^(app/(?!kernel/|modules/|ports/|services-and-actor)|db/|workers/)|[.]server[.]tsx?$" },
    ),
    forbid(
      "modules-stay-inside",
      "A module's server files see db, kernel, emails and other modules; never http, routes, adapters or components.",
      { path: "^app/modules/.*[.]server[.]tsx?$" },
      { path: "^(app/(http|routes|adapters|components)/|workers/)" },
    ),
    forbid(
      "only-run-command-commits",
      "Everything that is written goes through runCommand, runStep or runStatement; what they ask first, whether the database is in use, is below them.",
      {
        path: "^(app|db|workers)/",
        pathNot: `^app/modules/core/(commands/run-command|restores/database-state)[.]server[.]ts$|${TESTS}`,
      },
      { path: "^db/commit[.]ts$" },
    ),
    forbid(
      "adapters-see-ports",
      "An adapter knows its port and kernel, and pure comparisons.",
      { path: "^app/adapters/" },
      { path: "^(app/(http|routes|components|emails)/|app/modules/.*[.]server[.]|db/|workers/)" },
    ),
    forbid(
      "components-draw",
      "Components see components, kernel and rules; they never fetch.",
      { path: "^app/components/" },
      { path: "^(app/(http|routes|adapters|emails)/|app/modules/.*[.]server[.]|db/|workers/)" },
    ),
    forbid(
      "emails-draw",
      "Emails see components and kernel.",
      { path: "^app/emails/" },
      { path: "^(app/(http|routes|adapters|modules)/|db/|workers/)" },
    ),
    forbid(
      "http-sees-accounts",
      "http sees who is signed in, db and kernel.",
      { path: "^app/http/" },
      { path: "^(app/(routes|adapters|components|emails)/|workers/|app/modules/(?!accounts/))" },
    ),
    forbid(
      "routes-hold-no-sql",
      "Routes guard, parse, call one command or query, answer.",
      { path: "^app/routes/" },
      {
        path: "^(db/|workers/|app/adapters/(?!((accounting|bank-data|mail|sms)/[a-z]+|standard)-webhook)|node_modules/drizzle-orm)",
      },
    ),
    forbid(
      "db-sees-kernel",
      "The schema knows the kernel; what is stored as JSON has the module's type.",
      { path: "^db/" },
      { path: "^(app/(?!kernel/)|workers/)" },
    ),
    forbid(
      "api-is-mounted",
      "Calls of the API are declared above all modules; routes mount and describe them.",
      { path: "^(app/(?!(api|routes)/)|db/)" },
      { path: "^app/api/" },
    ),
    forbid(
      "api-guards-and-asks",
      "A call guards, parses, calls one command or reader, answers.",
      { path: "^app/api/" },
      { path: "^(app/(routes|adapters|components|emails)/|db/|workers/|node_modules/drizzle-orm)" },
    ),
    forbid(
      "nobody-imports-routes",
      "Nobody imports routes.",
      { pathNot: "^(app/routes/|tests/)|[.]test[.]tsx?$" },
      { path: "^app/routes/" },
    ),
    forbid("nobody-imports-workers", "Nobody imports workers.", { path: "^(app|db)/" }, { path: "^workers/" }),
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
