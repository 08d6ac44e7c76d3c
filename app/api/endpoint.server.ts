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
} from "~/http/guards.server";
import { type ApiArgs, json, namingError } from "~/http/responses.server";
import type { Actor, Person } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import type { ApiScope } from "~/modules/accounts/identity/api-token";
import { idempotencyKeySchema } from "~/modules/core/commands/run-command.server";
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

/**
 * Declares an API call: its validation, authorisation, answer and documentation. The answer is serialised by its
 * schema, so nothing else can leak.
 */
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
