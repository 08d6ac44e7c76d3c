import type * as z from "zod";
import { folders } from "~/kernel/paths/folders";
import type { ExplainedCode } from "./refusals";

/** One call of the JSON API, as its document says it. Pure: which calls there are stands in `calls/`. */

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

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

export type Group = keyof typeof GROUPS;

/** A parameter of the path or of the query. */
export type Parameter = { name: string; text: string; schema: z.ZodType; isRequired?: true };

/** What is sent: JSON, the bytes of a file under one of these content types, or either. */
export type Body = { json?: z.ZodType; files?: readonly string[]; isOptional?: true };

/** What a successful call is answered. Without a schema and a type the answer is empty. */
export type Answer = { status: number; text: string; schema?: z.ZodType; type?: string };

/** A request that is sent as it stands by the test of the document. */
export type Example = {
  title: string;
  status: number;
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  file?: { type: string; text: string };
};

export type Call = {
  id: string;
  group: Group;
  method: Method;
  /** Below `/api/`, as the app's routes are written: `payees/:id`. */
  path: string;
  title: string;
  text?: string;
  /** Nobody has to be signed in. */
  isOpen?: true;
  /** Repeated with the same `Idempotency-Key` it answers the first answer. */
  isIdempotent?: true;
  /** The name of its limit per address. */
  limit?: string;
  parameters?: readonly Parameter[];
  query?: readonly Parameter[];
  body?: Body;
  answers: readonly Answer[];
  /** Refusals of this call in particular; those of all calls are added by the document. */
  refusals?: readonly ExplainedCode[];
  examples: readonly Example[];
};

/** The path of a call as the document writes it: `/api/payees/{id}`. */
export const pathOf = ({ path }: Pick<Call, "path">): string => `${folders.api}/${path.replace(/:(\w+)/g, "{$1}")}`;
