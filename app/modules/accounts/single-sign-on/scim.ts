import { sitePaths } from "~/kernel/paths/site";

/** SCIM 2.0 for directories: RFC 7643 (schema), RFC 7644 (protocol), with what Entra ID and Okta send. Pure. */

const CORE = "urn:ietf:params:scim:schemas:core:2.0";
const MESSAGES = "urn:ietf:params:scim:api:messages:2.0";
export const USER_SCHEMA = `${CORE}:User`;

/** A refusal in the protocol's format (RFC 7644, section 3.12). */
export class ScimError extends Error {
  override readonly name = "ScimError";

  constructor(
    readonly status: number,
    readonly detail: string,
    readonly scimType?:
      | "invalidFilter"
      | "uniqueness"
      | "invalidSyntax"
      | "invalidPath"
      | "invalidValue"
      | "mutability",
  ) {
    super(detail);
  }
}

export const errorBody = ({ status, detail, scimType }: Pick<ScimError, "status" | "detail" | "scimType">) => ({
  schemas: [`${MESSAGES}:Error`],
  status: String(status),
  ...(scimType ? { scimType } : {}),
  detail,
});

/** A person of an organisation, as shown to the directory. */
export type ScimPerson = {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  isActive: boolean;
  externalId: string | null;
  createdAt: number;
  updatedAt: number;
};

export function toResource(person: ScimPerson, baseUrl: string) {
  const { userId, email, firstName, lastName, isActive, externalId, createdAt, updatedAt } = person;
  const formatted = [firstName, lastName].filter(Boolean).join(" ");
  return {
    schemas: [USER_SCHEMA],
    id: userId,
    ...(externalId === null ? {} : { externalId }),
    userName: email,
    name: { givenName: firstName, familyName: lastName, formatted },
    displayName: formatted,
    emails: [{ value: email, type: "work", primary: true }],
    active: isActive,
    meta: {
      resourceType: "User",
      created: new Date(createdAt).toISOString(),
      lastModified: new Date(updatedAt).toISOString(),
      location: `${baseUrl}/Users/${userId}`,
    },
  };
}

export const toList = (resources: readonly unknown[], total: number, startIndex: number) => ({
  schemas: [`${MESSAGES}:ListResponse`],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** The people to list: all of them, or the one with this value. */
export type ScimFilter = { by: "userName" | "externalId" | "id"; value: string };

const FILTERED: Readonly<Record<string, ScimFilter["by"]>> = {
  username: "userName",
  "emails.value": "userName",
  'emails[type eq "work"].value': "userName",
  emails: "userName",
  externalid: "externalId",
  id: "id",
};

/** @throws ScimError 400 for any filter other than one attribute equal to a string */
export function parseFilter(text: string | null): ScimFilter | undefined {
  if (text === null || text.trim() === "") return undefined;
  const [, attribute = "", quoted = ""] = /^\s*(.+?)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(text) ?? [];
  const name = attribute.toLowerCase().replace(`${USER_SCHEMA.toLowerCase()}:`, "");
  const by = Object.hasOwn(FILTERED, name) ? FILTERED[name] : undefined;
  const value = by && parseQuoted(quoted);
  if (!by || value === undefined) {
    throw new ScimError(
      400,
      "The filter must be userName, externalId, id or emails.value, then eq and a quoted text.",
      "invalidFilter",
    );
  }
  return { by, value };
}

function parseQuoted(text: string): string | undefined {
  try {
    return String(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const MAX_PAGE = 100;

/** RFC 7644, section 3.4.2.4: from 1; smaller values count as 1, and a negative count as 0. */
export function parsePage(query: URLSearchParams): { startIndex: number; count: number } {
  const whole = (name: string, otherwise: number) => {
    const text = query.get(name);
    return text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : otherwise;
  };
  return {
    startIndex: Math.max(1, whole("startIndex", 1)),
    count: Math.min(MAX_PAGE, Math.max(0, whole("count", MAX_PAGE))),
  };
}

/** What a directory sends about a person. Absent values stay as they are. */
export type ScimChange = {
  userName?: string;
  externalId?: string;
  isActive?: boolean;
  firstName?: string;
  lastName?: string;
};

/** Entra ID sends booleans as strings: "True", "False". */
function parseActive(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "string" && /^(true|false)$/i.test(value)) return value.toLowerCase() === "true";
  throw new ScimError(400, "active must be true or false.", "invalidValue");
}

type Body = Readonly<Record<string, unknown>>;

const isBody = (value: unknown): value is Body => typeof value === "object" && value !== null && !Array.isArray(value);

/** Attribute names are case-insensitive (RFC 7643, section 2.1). */
function attribute(body: Body, name: string): unknown {
  const key = Object.keys(body).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : body[key];
}

function textOf(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw new ScimError(400, `${name} must be text.`, "invalidValue");
  return value.trim();
}

/** The person of a POST or a PUT. @throws ScimError 400 */
export function parseUser(body: Body): ScimChange & { userName: string } {
  const userName = textOf(attribute(body, "userName"), "userName");
  if (!userName) throw new ScimError(400, "userName is required.", "invalidValue");
  const name = attribute(body, "name");
  const active = attribute(body, "active");
  return {
    userName,
    externalId: textOf(attribute(body, "externalId"), "externalId"),
    ...(isBody(name) ? namesOf(name) : {}),
    ...(active === undefined || active === null ? {} : { isActive: parseActive(active) }),
  };
}

const namesOf = (name: Body): ScimChange => ({
  firstName: textOf(attribute(name, "givenName"), "givenName"),
  lastName: textOf(attribute(name, "familyName"), "familyName"),
});

const MAX_OPERATIONS = 100;

/**
 * Parses a PATCH. Accepts paths and operations in any case; a path with the schema's name before it; values under a
 * path, or an object of them without one, whose names may be paths ("name.givenName"). Ignores well-formed attributes
 * that this service does not store. @throws ScimError 400
 */
export function parsePatch(body: Body): ScimChange {
  const operations = attribute(body, "Operations");
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw new ScimError(400, "Operations lists what to change.", "invalidSyntax");
  }
  let change: ScimChange = {};
  for (const operation of operations) {
    if (!isBody(operation)) throw new ScimError(400, "An operation must be an object.", "invalidSyntax");
    change = { ...change, ...parseOperation(operation) };
  }
  return change;
}

function parseOperation(operation: Body): ScimChange {
  const op = String(attribute(operation, "op")).toLowerCase();
  const path = textOf(attribute(operation, "path"), "path");
  const value = attribute(operation, "value");
  if (op === "remove") {
    if (!path) throw new ScimError(400, "remove needs a path.", "invalidPath");
    return {};
  }
  if (op !== "add" && op !== "replace") throw new ScimError(400, "op must be add, replace or remove.", "invalidSyntax");
  if (path) return changeAt(path, value);
  if (!isBody(value)) throw new ScimError(400, "Without a path the value must be an object.", "invalidValue");
  return Object.assign({}, ...Object.entries(value).map(([name, each]) => changeAt(name, each)));
}

function changeAt(path: string, value: unknown): ScimChange {
  const name = path.toLowerCase().replace(`${USER_SCHEMA.toLowerCase()}:`, "");
  switch (name) {
    case "active":
      return { isActive: parseActive(value) };
    case "username":
      return { userName: textOf(value, "userName") };
    case "externalid":
      return { externalId: textOf(value, "externalId") };
    case "name.givenname":
      return { firstName: textOf(value, "givenName") };
    case "name.familyname":
      return { lastName: textOf(value, "familyName") };
    case "name":
      return isBody(value) ? namesOf(value) : {};
    default:
      return {};
  }
}

const text = (name: string, more: object = {}) => ({
  name,
  type: "string",
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  description: name,
  ...more,
});

const schemaOfUser = (baseUrl: string) => ({
  schemas: [`${CORE}:Schema`],
  id: USER_SCHEMA,
  name: "User",
  description: "A person of the organisation. Only the names and active can be changed.",
  attributes: [
    text("userName", {
      required: true,
      uniqueness: "server",
      mutability: "immutable",
      description: "The email address",
    }),
    {
      ...text("name", { type: "complex", description: "The name" }),
      subAttributes: [text("givenName"), text("familyName"), text("formatted", { mutability: "readOnly" })],
    },
    text("displayName", { mutability: "readOnly" }),
    {
      ...text("emails", {
        type: "complex",
        multiValued: true,
        mutability: "readOnly",
        description: "The email address",
      }),
      subAttributes: [
        text("value", { mutability: "readOnly" }),
        text("type", { mutability: "readOnly", canonicalValues: ["work"] }),
        text("primary", { type: "boolean", mutability: "readOnly" }),
      ],
    },
    text("active", { type: "boolean", description: "false ends the person's access, and deletes nothing" }),
  ],
  meta: { resourceType: "Schema", location: `${baseUrl}/Schemas/${USER_SCHEMA}` },
});

const resourceType = (baseUrl: string) => ({
  schemas: [`${CORE}:ResourceType`],
  id: "User",
  name: "User",
  endpoint: "/Users",
  description: "People of the organisation",
  schema: USER_SCHEMA,
  meta: { resourceType: "ResourceType", location: `${baseUrl}/ResourceTypes/User` },
});

const providerConfig = (baseUrl: string) => ({
  schemas: [`${CORE}:ServiceProviderConfig`],
  documentationUri: new URL(sitePaths.help, baseUrl).href,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_PAGE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "A token that an administrator of the organisation makes in the settings.",
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${baseUrl}/ServiceProviderConfig` },
});

/** The service's description of itself (RFC 7644, section 4); undefined for other paths. */
export function findDescription(path: readonly string[], baseUrl: string): unknown {
  const [first, id, ...rest] = path;
  if (rest.length > 0) return undefined;
  const one = <T extends { id: string }>(resource: T) =>
    id === undefined ? toList([resource], 1, 1) : id === resource.id ? resource : undefined;
  if (first === "ServiceProviderConfig") return id === undefined ? providerConfig(baseUrl) : undefined;
  if (first === "ResourceTypes") return one(resourceType(baseUrl));
  return first === "Schemas" ? one(schemaOfUser(baseUrl)) : undefined;
}
