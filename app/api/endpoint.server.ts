import * as z from "zod";
import { type ApiArgs, json } from "~/http/api.server";
import { check, readHeader, readJson } from "~/http/body.server";
import { namingError } from "~/http/errors.server";
import {
  type ADDRESS_LIMITS,
  apiAdmin,
  apiMember,
  apiWriter,
  limitByAddress,
  requireApiPerson,
  withStepUp,
} from "~/http/guards.server";
import type { Actor, Person } from "~/kernel/actor";
import { notFound } from "~/kernel/app-error";
import type { ApiScope } from "~/modules/accounts/identity/api-token";
import { idempotencyKeySchema } from "~/modules/core/commands/run-command.server";
import type { ExplainedCode } from "./refusals";

/** The parts of the document, in the order in which they are read. */
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

/** Who may make a call: anyone, a signed-in person, or a person as what their organisation lets them be. */
type By = "anyone" | "person" | "member" | "writer" | "admin";

/** Parameters by name: what each may be, its description and an example. */
type Shape = Readonly<Record<string, z.ZodType>>;

type Answers = Readonly<Record<number, { text: string; schema?: z.ZodType; type?: string }>>;

/** A request that is sent as it stands by the test of the document. */
export type Example = {
  title: string;
  status: number;
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  file?: { type: string; text: string };
};

/** What the document says of a call and what decides whether it is answered. */
type Described = {
  id: string;
  group: keyof typeof GROUPS;
  title: string;
  text?: string;
  /** What an API token must be allowed: a scope, or nothing in particular. Without it the call is for signed-in people. */
  needs?: ApiScope | "any";
  /** Repeated with the same `Idempotency-Key` it answers the first answer. */
  isIdempotent?: true;
  /** Its limit per address. */
  limit?: keyof typeof ADDRESS_LIMITS;
  /** Only what can be read counts against the limit. */
  isLimitedOnceRead?: true;
  /** A refusal says its sentence as `error` too, as the specification has it. */
  namesError?: true;
  /** The content types of a file that is sent instead of JSON: `run` reads it. */
  files?: readonly string[];
  isBodyOptional?: true;
  /** Which of several ways of writing the body this one is, so that a refusal names the fields of that way. */
  way?: (given: Readonly<Record<string, unknown>>) => z.ZodType;
  /** Refusals of this call in particular; those of all calls are added by the document. */
  refusals?: readonly ExplainedCode[];
  examples: readonly Example[];
};

/** A call as the table of calls knows it. */
export type Endpoint = Described & {
  method: Method;
  /** As the document writes it: `/api/payees/{id}`. */
  path: string;
  by: By;
  parameters: Shape;
  query: Shape;
  body?: z.ZodType;
  answers: Answers;
  handle: (args: ApiArgs) => Promise<Response>;
};

/** A value of a schema, from code that may have made its lists and objects read-only. */
type Given<T> = T extends readonly (infer Each)[]
  ? readonly Given<Each>[]
  : T extends object
    ? { readonly [Name in keyof T]: Given<T[Name]> }
    : T;

/** What `run` answers: the value of a schema, a file as a Response, or nothing. */
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
    /** The declared parameters of the query as they were sent, for readers that pages share. */
    asked: URLSearchParams;
    body: z.output<B>;
    idempotencyKey: string | undefined;
  };

/** An answer with another status than the call's first one, or with headers. */
class Reply<T> {
  constructor(
    readonly value: T,
    readonly init: { status?: number; headers?: HeadersInit },
  ) {}
}

export const reply = <T>(value: T, init: { status?: number; headers?: HeadersInit }) => new Reply(value, init);

/**
 * A call of the API, said once: what validates, authorises, answers and describes it. The schema of the answer writes the
 * answer, so that nothing leaves that it does not name.
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
    /** Without it: those who may change things, where the scope is one for writing, else every member. */
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

/** Answers of these scopes hold full bank details. */
export const showsDetails = (needs: Endpoint["needs"]): boolean =>
  needs !== undefined && /^(payees|verifications|payments|files|audit):/.test(needs);

/** Everything that a call is asked with, each part checked by its schema. @throws AppError */
async function readCall(call: Endpoint, args: ApiArgs) {
  const scope = { ...args, needs: call.needs };
  if (call.limit && !call.isLimitedOnceRead) await limitByAddress(scope, call.limit);
  const caller: { actor?: Actor; person?: Person } = await CALLERS[call.by](scope);
  if (caller.actor && showsDetails(call.needs)) withStepUp(scope, caller.actor, "answer");
  const path = z.object(call.parameters).safeParse(args.params);
  // A malformed id is answered as a missing one.
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
