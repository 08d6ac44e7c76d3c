import * as z from "zod";
import { check, readHeader, readJson } from "~/http/body.server";
import {
  type ADDRESS_LIMITS,
  apiAdmin,
  apiMember,
  apiWriter,
  limitByAddress,
  requireApiPerson,
  withStepUp,
} from "~/http/page.server";
import { type ApiArgs, json, namingError } from "~/http/responses.server";
import { notFound } from "~/kernel/app-error";
import { toIso } from "~/kernel/dates";
import { NOTICE_DELAYS, NOTICE_FAILURES, NOTICE_SUBJECTS, NOTIFICATION_CHANNELS } from "~/kernel/enums";
import { isId } from "~/kernel/ids";
import { displayName } from "~/kernel/text";
import type { ApiScope } from "~/modules/accounts/identity/api-token";
import { idempotencyKeySchema } from "~/modules/core/commands/run-command.server";
import { GRADE_NAMES } from "~/modules/payees/verifications/outcomes";
import type { Actor, Person } from "~/services-and-actor";
import type { ExplainedCode } from "./refusals";

/** The groups of the document, in order. */
export const GROUPS = {
  payees: { title: "Payees", intro: "The people and companies that you pay, with their bank details." },
  verifications: {
    title: "Verifications",
    intro: "Whether a payee's bank details are right, how that was found out, and who decided.",
  },
  payments: { title: "Payments", intro: "One payment, checked by every rule when it is recorded." },
  files: {
    title: "Payment files",
    intro: "A whole pay run: upload the file, decide what is held, download what was cleared.",
  },
  invoices: {
    title: "Invoices",
    intro: "The document that asks for money: whether its bank details are the ones that were verified.",
  },
  imports: { title: "Imports", intro: "Many payees at once, from a table that your accounting system exports." },
  connections: {
    title: "Accounting systems and webhooks",
    intro:
      "What is connected to the organisation. Only a signed-in admin can make these calls, with a session's cookie: an API token cannot.",
  },
  audit: {
    title: "Audit trail",
    intro: "Everything that was done, in order, with the proof that nothing was changed.",
  },
  account: {
    title: "Accounts and sign-in",
    intro: "Calls about a person's own account. They work with a session's cookie, not with an API token.",
  },
  billing: { title: "Subscription", intro: "The organisation's plan. Only signed-in people can use these calls." },
  open: { title: "Open calls", intro: "Calls that anyone can make, within a limit per address." },
} as const;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Who may make a call: anybody, a signed-in person, or a member with a certain role. */
type By = "anyone" | "person" | "member" | "writer" | "admin";

/** Parameters by name, with their schema, description and example. */
type Shape = Readonly<Record<string, z.ZodType>>;

type Answers = Readonly<Record<number, { text: string; schema?: z.ZodType; type?: string }>>;

/** A request that the document's test sends unchanged. */
export type Example = {
  title: string;
  status: number;
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  file?: { type: string; text: string };
};

/** The documented properties of a call, which also decide whether it is answered. */
type Described = {
  id: string;
  group: keyof typeof GROUPS;
  title: string;
  text?: string;
  /** What an API token needs: a scope, or "any". Absent: the call is only for signed-in people. */
  needs?: ApiScope | "any";
  /** Repeating the same `Idempotency-Key` returns the first answer. */
  isIdempotent?: true;
  /** Its limit per IP address. */
  limit?: keyof typeof ADDRESS_LIMITS;
  /** Only requests that can be parsed count towards the limit. */
  isLimitedOnceRead?: true;
  /** A refusal repeats its sentence as `error`, as the specification requires. */
  namesError?: true;
  /** The content types of a file that is sent instead of JSON; `run` reads it. */
  files?: readonly string[];
  isBodyOptional?: true;
  /** For a body with several variants: chooses the schema, so that a refusal names that variant's fields. */
  way?: (given: Readonly<Record<string, unknown>>) => z.ZodType;
  /** Refusals specific to this call; the document adds those of all calls. */
  refusals?: readonly ExplainedCode[];
  examples: readonly Example[];
};

/** A declared API call, with the types of its schemas removed for the table of calls. */
export type Endpoint = Described & {
  method: Method;
  /** The path in the document's form: `/api/payees/{id}`. */
  path: string;
  by: By;
  parameters: Shape;
  query: Shape;
  body?: z.ZodType;
  answers: Answers;
  handle: (args: ApiArgs) => Promise<Response>;
};

/** A value of a schema, allowing read-only lists and objects. */
type Given<T> = T extends readonly (infer Each)[]
  ? readonly Given<Each>[]
  : T extends object
    ? { readonly [Name in keyof T]: Given<T[Name]> }
    : T;

/** What `run` returns: the value of a schema, a file as a Response, or nothing. */
type Answered<A extends Answers> = {
  [Status in keyof A]: A[Status] extends { schema: infer S extends z.ZodType }
    ? Given<z.output<S>>
    : A[Status] extends { type: string }
      ? Response
      : undefined;
}[keyof A];

type Caller<W extends By> = W extends "anyone" ? unknown : W extends "person" ? { person: Person } : { actor: Actor };
type Values<S extends Shape> = { [Name in keyof S]: z.output<S[Name]> };

type Run<P extends Shape, Q extends Shape, B extends z.ZodType, W extends By> = ApiArgs &
  Caller<W> & {
    path: Values<P>;
    query: Values<Q>;
    /** The declared query parameters as they were sent, for parsers shared with pages. */
    asked: URLSearchParams;
    body: z.output<B>;
    idempotencyKey: string | undefined;
  };

/** An answer with headers, or with a status other than the call's first one. */
class Reply<T> {
  constructor(
    readonly value: T,
    readonly init: { status?: number; headers?: HeadersInit },
  ) {}
}

export const reply = <T>(value: T, init: { status?: number; headers?: HeadersInit }) => new Reply(value, init);

/** Declares an API call: validation, authorisation, answer and documentation. Only what its schema names leaves. */
export function endpoint<
  const A extends Answers,
  P extends Shape = Record<never, never>,
  Q extends Shape = Record<never, never>,
  B extends z.ZodType = z.ZodObject,
  W extends By = "member",
>(
  declared: Described & {
    at: `${Method} /api/${string}`;
    /** Default: members with write access if the scope is one for writing, otherwise every member. */
    by?: W;
    path?: P;
    query?: Q;
    body?: B;
    answers: A;
    run: (args: Run<P, Q, B, W>) => Promise<Answered<A> | Reply<Answered<A>> | Response>;
  },
): Endpoint {
  const { at, run, path: parameters = {}, query = {}, answers, ...rest } = declared;
  const [method, path] = at.split(" ") as [Method, string];
  const by = declared.by ?? (declared.needs?.endsWith(":write") ? "writer" : "member");
  const called: Endpoint = {
    ...{ ...rest, method, path, by, parameters, query, answers },
    handle: (args) => (declared.namesError ? namingError(args.services.log, () => handle(args)) : handle(args)),
  };
  const handle = async (args: ApiArgs) => {
    const given = await readCall(called, args);
    return write(answers, await run(given as Run<P, Q, B, W>));
  };
  return called;
}

/** True for scopes whose answers contain full bank details. */
export const showsDetails = (needs: Endpoint["needs"]): boolean =>
  needs !== undefined && /^(payees|verifications|payments|files|audit):/.test(needs);

/** Parses the input of a call, each part by its schema. @throws AppError */
async function readCall(call: Endpoint, args: ApiArgs) {
  const scope = { ...args, needs: call.needs };
  if (call.limit && !call.isLimitedOnceRead) await limitByAddress(scope, call.limit);
  const caller: { actor?: Actor; person?: Person } = await CALLERS[call.by](scope);
  if (caller.actor && showsDetails(call.needs)) withStepUp(scope, caller.actor, "answer");
  const path = z.object(call.parameters).safeParse(args.params);
  // A malformed id is treated as missing.
  if (!path.success) throw notFound();
  const names = new URL(args.request.url).searchParams;
  const asked = new URLSearchParams([...names].filter(([name]) => Object.hasOwn(call.query, name)));
  const query = check(z.object(call.query), Object.fromEntries(asked));
  const body = call.files ? undefined : await readBody(call, args.request);
  if (call.limit && call.isLimitedOnceRead) await limitByAddress(scope, call.limit);
  const idempotencyKey = call.isIdempotent && readHeader(args.request, "Idempotency-Key", idempotencyKeySchema);
  return { ...scope, ...caller, path: path.data, query, asked, body, idempotencyKey };
}

async function readBody({ body, way }: Endpoint, request: Request) {
  if (!way) return body && readJson(request, body);
  const given = await readJson(request, z.looseObject({}));
  return check(way(given), given);
}

const CALLERS = {
  anyone: async () => ({}),
  person: async (scope: ApiArgs) => ({ person: await requireApiPerson(scope) }),
  member: async (scope: ApiArgs) => ({ actor: await apiMember(scope) }),
  writer: async (scope: ApiArgs) => ({ actor: await apiWriter(scope) }),
  admin: async (scope: ApiArgs) => ({ actor: await apiAdmin(scope) }),
};

function write(answers: Answers, result: unknown): Response {
  if (result instanceof Response) return result;
  const { value, init } = result instanceof Reply ? result : new Reply(result, {});
  const status = init.status ?? Number(Object.keys(answers)[0]);
  const schema = answers[status]?.schema;
  return schema ? json(z.encode(schema, value), { ...init, status }) : new Response(null, { ...init, status });
}

/**
 * Placeholders in the API document's examples. Each stands for a row of the reader's own organisation; the test that
 * sends every example replaces them with real ids.
 */
export const EXAMPLE = {
  organization: "01a1f2b0-6a41-7c1e-9d15-3c0d5b6a7e01",
  person: "01a1f2b0-6a41-7c1e-9d15-3c0d5b6a7e02",
  payee: "01a1f2b3-0b52-7a90-8f2b-6f1f0c2d4a11",
  whitelistedPayee: "01a1f2b3-0b52-7a90-8f2b-6f1f0c2d4a12",
  payeeRequest: "01a1f2b3-0b52-7a90-8f2b-6f1f0c2d4a14",
  verification: "01a1f2b3-0b58-7d03-9a6e-2b7e9d0c5f21",
  decidedVerification: "01a1f2b3-0b58-7d03-9a6e-2b7e9d0c5f23",
  bulkCheck: "01a1f2b5-1f20-7b64-8c3d-4e5a6b7c8d24",
  heldPayment: "01a1f2b7-9c04-7b11-8c55-9e3a1f60d731",
  authorisedPayment: "01a1f2b7-9c04-7b11-8c55-9e3a1f60d732",
  openFile: "01a1f2bd-44e0-7f6a-b1d2-0a5c8e7f9b41",
  heldFile: "01a1f2bd-44e0-7f6a-b1d2-0a5c8e7f9b42",
  clearedFile: "01a1f2bd-44e0-7f6a-b1d2-0a5c8e7f9b43",
  clearing: "01a1f2bf-7a18-7e30-a4c6-51d3b2e8f051",
  invoice: "01a1f2c0-2e51-7d18-9b47-3f8a6c0d2e55",
  import: "01a1f2c1-3d77-7c92-9e08-7b4f6a1c2d61",
  endpoint: "01a1f2c6-0d13-7b48-9c70-2f6e8a4b1d81",
  endedDelivery: "01a1f2c6-2b90-7a15-8e42-6d1c3f5a7b82",
  alert: "01a1f2c5-1b04-7e62-9a47-5d2c8f1e3a75",
  entry: "01a1f2c4-58aa-7d4f-8b31-e90c2f7d5a71",
  joinableOrganization: "01a1f2b0-6a41-7c1e-9d15-3c0d5b6a7e03",
  linkToken: "Zk3vJ0p8Qm2tYx7RcW5nHs1LbD9gUa4E",
  linkVerification: "01a1f2b3-0b58-7d03-9a6e-2b7e9d0c5f22",
  linkPayee: "01a1f2b3-0b52-7a90-8f2b-6f1f0c2d4a13",
  resetToken: "q8TnV2xKc6JdR4mYw0ZpLs9HbG3fUe7A",
  email: "mira.okafor@harbourjoinery.example",
  newEmail: "sam.tran@wattlecreek.example",
  domain: "harbourjoinery.example",
  password: "Correct-horse-7",
} as const;

export type ExampleName = keyof typeof EXAMPLE;

/** The time of the examples. */
const EXAMPLE_INSTANT = "2026-11-20T05:31:00.000Z";
export const EXAMPLE_SHA256 = "9f2c41a07de35b8846f1c0b92ad7e358614f0c7ab93d52e8f06a1b7c4d9ee07b";

/** Fields and parameters that several calls share, each with an example. */

/** Schemas with a name in the document. */
export const NAMES = z.registry<{ id: string }>();

export const id = (example: string) => z.string().meta({ format: "uuid", examples: [example] });
export const text = (example: string, description?: string) => z.string().meta({ description, examples: [example] });
export const count = (example = 0, description?: string) => z.int().meta({ description, examples: [example] });
export const flag = (example: boolean, description?: string) => z.boolean().meta({ description, examples: [example] });

/** An instant that is already an ISO 8601 string. */
export const writtenInstant = z.string().meta({ format: "date-time", examples: [EXAMPLE_INSTANT] });

/** Milliseconds internally, ISO 8601 in UTC in the answer. */
export const instant = z.codec(writtenInstant, z.number(), { decode: (text) => Date.parse(text), encode: toIso });

export const cents = count(125_000, "Integer cents of Australian dollars.");

export const sha256 = text(EXAMPLE_SHA256, "64 hexadecimal digits.");

export const bsb = text("062000", "Six digits.");
export const accountNumber = text("12345678", "4 to 9 digits, leading zeros kept.");
export const maskedAccountNumber = text("•••••678", "Masked: only the last digits are shown.");
export const accountName = text("Wattle Creek Electrical Pty Ltd");

/** Details whose members vary by action. */
export const facts = z.record(z.string(), z.unknown());

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "Send it as `cursor` to read on; null at the end.", examples: [null] });

/** Null when it is not verified. */
export const grade = z
  .object({
    name: z.enum(GRADE_NAMES).meta({
      description:
        "`bank_consent`, `bank_instant`: the payee's bank confirmed the name, with the payee's consent or at once by Confirmation of Payee. `call_back`: the payee confirmed the details in a call that counts as proof. `vouched`: other organisations vouch for the account. `person`: a person approved it without any of these; `rule` and `unknown` are the same, but approved by a rule, or with no approver on record. For a payee that is trusted without an approved verification: `payments`, after successful payments; `by_hand`; `restored`, its former details and their trust were put back.",
    }),
    text: text("Approved by a person, no bank was asked", "In the words of the pages."),
  })
  .nullable()
  .meta({ description: "How the details were verified. Null: they are not." });

export const person = z.object({ name: text("Mira Okafor"), email: text("mira.okafor@harbourjoinery.example") });

/** A person in a row, as the member `person`. */
export const named = (row: { firstName: string; lastName: string; email: string } | null) =>
  row && { name: displayName(row), email: row.email };

/** The `formerContact` of several answers. */
export const contactsTold = z
  .object({
    state: z.enum(["told", "not_told_yet", "not_told"]).meta({
      description:
        "The worst state of all contacts. `told`: the provider has accepted every message. `not_told_yet`: one is waiting or being tried again. `not_told`: one could not be sent, or there was nobody to tell.",
    }),
    message: text("The former contact was NOT told yet: the message is on its way."),
    contacts: z.array(
      z.object({
        channel: z.enum(NOTIFICATION_CHANNELS),
        address: text("accounts@wattlecreek.example", "An email address, or a number in E.164."),
        changed: z.enum(NOTICE_SUBJECTS).meta({ description: "What the contact is told about." }),
        state: z.enum(["told", "not_told_yet", "not_told"]),
        reason: z
          .object({
            code: z
              .enum([...NOTICE_DELAYS, ...NOTICE_FAILURES])
              .nullable()
              .meta({
                description:
                  "Null: on its way, or collected with later changes on the same day. The first four are not final: the notice is tried again for 30 days. The others are final.",
              }),
            message: text("the message is on its way"),
          })
          .nullable(),
        toldAt: writtenInstant.nullable().meta({ description: "When the provider accepted the message." }),
      }),
    ),
  })
  .meta({
    description:
      "Whether the payee's former contact was told about its last change. Null: neither bank details nor a contact were ever changed.",
  });

/** The id in a path. */
export const idOf = (noun: string, example: string) =>
  z
    .string()
    .refine(isId)
    .meta({ description: `The id of the ${noun}.`, format: "uuid", examples: [example] });

/** A text query parameter. */
export const word = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

/** One of several words; any other value is ignored. */
export const choice = <const T extends readonly string[]>(description: string, values: T) =>
  z.enum(values).optional().catch(undefined).meta({ description });

export const cursor = word("The `nextCursor` of the previous answer. Leave it out to begin.", EXAMPLE.entry);

/** A whole number in the query. */
export const number = (description: string, schema: z.ZodType<number>, example: number) =>
  schema
    .optional()
    .catch(undefined)
    .meta({ description, examples: [example] });

export const limit = (description = "How many, up to 1,000.") =>
  number(description, z.coerce.number().int().min(1).max(1000), 50);

const day = (description: string) =>
  z
    .string()
    .optional()
    .meta({ description, format: "date", examples: ["2026-11-01"] });

/** Days in the organisation's time zone, both inclusive. */
export const days = {
  from: day("The first day, in the organisation's time zone."),
  to: day("The last day, in the organisation's time zone."),
};

export const fileName = word("The file's name, if the body is the file itself.", "suppliers.aba");

/** An empty body. */
export const nothing = z.object({});

export const FILES = ["text/plain", "text/csv", "application/octet-stream", "multipart/form-data"] as const;
