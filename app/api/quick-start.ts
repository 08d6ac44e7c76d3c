import { folders } from "~/kernel/paths/site";

/**
 * A script that adds a payee, has it verified, checks a pay run and clears it. The page draws each step as a curl command;
 * a test makes the same calls in the same order. Pure.
 */

/** `$NAME` in a path or a body is what an earlier step kept. */
export type Step = {
  text: string;
  method: "GET" | "POST";
  /** Below `/api/`. */
  path: string;
  json?: Readonly<Record<string, unknown>>;
  /** A file that an earlier step wrote. */
  file?: string;
  /** Names for what the answer says: `{ PAYEE: "payee.id" }`. */
  keeps?: Readonly<Record<string, string>>;
  /** Writes the answer to a file. */
  saves?: string;
  /** Takes an `Idempotency-Key`. */
  isIdempotent?: true;
  /** Is made again every minute until this is no longer null. */
  until?: string;
  /** What has to hold before it is made: the name and the value. */
  only?: readonly [name: string, value: string];
};

export const PAY_RUN_FILE = "suppliers.aba";

/** The pay run of the script, a direct entry file of one payment, as it writes it to a file. */
export const PAY_RUN = [
  "0                 01CBA       HARBOUR JOINERY           301500SUPPLIERS   201126                                        ",
  "1062-000 12345678 500000125000WATTLE CREEK ELECTRICAL PTY LTD INV-2041          082-001987654321HARBOUR JOINERY 00000000",
  "7999-999            000012500000001250000000000000                        000001                                        ",
  "",
].join("\n");

export const STEPS: readonly Step[] = [
  {
    text: "Add a payee. Its verification opens with it.",
    method: "POST",
    path: "payees",
    isIdempotent: true,
    json: {
      name: "Wattle Creek Electrical",
      accountName: "Wattle Creek Electrical Pty Ltd",
      bsb: "062-000",
      accountNumber: "12345678",
      email: "accounts@wattlecreek.example",
    },
    keeps: { PAYEE: "payee.id", VERIFICATION: "verification.id" },
  },
  {
    text: "Have the payee's bank asked. The payee is emailed a link and gives their consent.",
    method: "POST",
    path: "verifications/$VERIFICATION/verify-basiq",
    json: {},
  },
  {
    text: "Read the verification now and then, until the bank has answered.",
    method: "GET",
    path: "verifications/$VERIFICATION",
    keeps: { OUTCOME: "outcome" },
    until: "OUTCOME",
  },
  {
    text: "Where the bank confirms the details, approve them: the payee is on the whitelist now.",
    method: "POST",
    path: "verifications/$VERIFICATION/review",
    isIdempotent: true,
    json: { approved: true },
    only: ["OUTCOME", "match"],
  },
  {
    text: "Upload the pay run. Every line is checked before the answer.",
    method: "POST",
    path: "payment-files?name=suppliers.aba",
    isIdempotent: true,
    file: PAY_RUN_FILE,
    keeps: { FILE: "file.id", HELD: "file.totals.held" },
  },
  {
    text: "Clear what no rule held. Held lines stay behind until a person decides them.",
    method: "POST",
    path: "payment-files/$FILE/clear",
    isIdempotent: true,
    json: {},
    keeps: { SHA256: "clearing.sha256" },
  },
  {
    text: "Download the direct entry file for your bank.",
    method: "GET",
    path: "payment-files/$FILE/cleared.aba",
    saves: "cleared.aba",
  },
];

/** The step as commands of a POSIX shell with curl and jq. A body stands in single quotes: none of ours holds one. */
function toCurl({ path, json, file, keeps = {}, saves, until, only, isIdempotent }: Step, at: number): string {
  const call = [
    `curl -sS --fail-with-body "$SITE${folders.api}/${path}"`,
    '  -H "Authorization: Bearer $TOKEN"',
    ...(isIdempotent ? [`  -H "Idempotency-Key: $RUN-${at + 1}"`] : []),
    ...(json ? ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(json)}'`] : []),
    ...(file ? ['  -H "Content-Type: text/plain"', `  --data-binary @${file}`] : []),
    ...(saves ? [`  -o ${saves}`] : []),
  ].join(" \\\n");
  const reads = Object.entries(keeps).map(([name, member]) => `${name}=$(echo "$ANSWER" | jq -r .${member})`);
  const steps = [reads.length > 0 ? `ANSWER=$(${call})` : call, ...reads];
  const repeated = until ? [`${until}=null`, `while [ "$${until}" = null ]; do`, "sleep 60", ...steps, "done"] : steps;
  return [...(only ? [`[ "$${only[0]}" = ${only[1]} ]`] : []), ...repeated].join("\n");
}

/** The whole script. */
export function toScript(origin: string): string {
  const head = [
    "set -eu",
    `SITE=${origin}`,
    "TOKEN=pp_your_token",
    "RUN=$(date +%s)",
    `cat > ${PAY_RUN_FILE} <<'END'\n${PAY_RUN}END`,
  ];
  const steps = STEPS.map((step, at) => `# ${at + 1}. ${step.text}\n${toCurl(step, at)}`);
  return `${[head.join("\n"), ...steps].join("\n\n")}\n`;
}
