import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { parseObject, readText } from "~/http/body.server";
import { toAppError } from "~/http/responses.server";
import { AppError } from "~/kernel/app-error";
import { scimBaseUrl } from "~/kernel/paths/site";
import {
  addPerson,
  changePerson,
  type Directory,
  getPerson,
  listPeople,
  removePerson,
  requireDirectory,
} from "~/modules/accounts/single-sign-on/directory.server";
import {
  errorBody,
  findDescription,
  parseFilter,
  parsePage,
  parsePatch,
  parseUser,
  ScimError,
  toList,
  toResource,
} from "~/modules/accounts/single-sign-on/scim";
import type { Services } from "~/services-and-actor";

/** SCIM 2.0 (RFC 7644) for organisations' directories. */

type Args = LoaderFunctionArgs | ActionFunctionArgs;
type Asked = { services: Services; directory: Directory; request: Request; baseUrl: string };

const MEDIA_TYPE = "application/scim+json";

const answerWith = (body: unknown, init: ResponseInit = {}): Response => {
  const headers = new Headers(init.headers);
  headers.set("Content-Type", `${MEDIA_TYPE}; charset=utf-8`);
  return new Response(JSON.stringify(body), { ...init, headers });
};

async function answerScim({ request, context, params }: Args): Promise<Response> {
  const { services, origin } = context;
  try {
    const [, token = ""] = /^bearer\s+(\S+)$/i.exec(request.headers.get("Authorization") ?? "") ?? [];
    const directory = await requireDirectory(services, origin, token);
    const path = (params["*"] ?? "").split("/").filter(Boolean);
    return await dispatch({ services, directory, request, baseUrl: scimBaseUrl(services.config.appOrigin) }, path);
  } catch (error) {
    const refused = error instanceof ScimError ? error : asScimError(toAppError(error, services.log));
    const headers: HeadersInit = refused.status === 401 ? { "WWW-Authenticate": "Bearer" } : {};
    return answerWith(errorBody(refused), { status: refused.status, headers });
  }
}

const asScimError = ({ status, message, code }: AppError) =>
  new ScimError(status, message, code === "MALFORMED" ? "invalidSyntax" : undefined);

async function dispatch(asked: Asked, path: readonly string[]): Promise<Response> {
  const { request, baseUrl } = asked;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const [first, id, ...rest] = path;
  if (first !== "Users" || rest.length > 0) {
    const description = findDescription(path, baseUrl);
    if (description === undefined) throw new ScimError(404, "There is no such resource.");
    if (method !== "GET") throw wrongMethod("GET");
    return answerWith(description);
  }
  return id === undefined ? answerAll(asked, method) : answerOne(asked, method, id);
}

const wrongMethod = (allowed: string) => new ScimError(405, `This resource accepts only ${allowed}.`);

async function answerAll({ services, directory, request, baseUrl }: Asked, method: string): Promise<Response> {
  if (method === "POST") {
    const person = await addPerson(services, directory, parseUser(await readBody(request)));
    const resource = toResource(person, baseUrl);
    return answerWith(resource, { status: 201, headers: { Location: resource.meta.location } });
  }
  if (method !== "GET") throw wrongMethod("GET, POST");
  const query = new URL(request.url).searchParams;
  const paging = parsePage(query);
  const { people, total } = await listPeople(services, directory, {
    ...paging,
    filter: parseFilter(query.get("filter")),
  });
  const resources = people.map((person) => toResource(person, baseUrl));
  return answerWith(toList(resources, total, paging.startIndex));
}

async function answerOne({ services, directory, request, baseUrl }: Asked, method: string, id: string) {
  switch (method) {
    case "GET":
      return answerWith(toResource(await getPerson(services, directory, id), baseUrl));
    case "PUT":
      return answerWith(
        toResource(await changePerson(services, directory, id, parseUser(await readBody(request))), baseUrl),
      );
    case "PATCH":
      return answerWith(
        toResource(await changePerson(services, directory, id, parsePatch(await readBody(request))), baseUrl),
      );
    case "DELETE":
      await removePerson(services, directory, id);
      return new Response(null, { status: 204 });
    default:
      throw wrongMethod("GET, PUT, PATCH, DELETE");
  }
}

/** Directories send the protocol's media type, or plain JSON. */
async function readBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const text = await readText(request);
  if (!/^application\/(scim\+)?json\s*(;|$)/i.test(request.headers.get("Content-Type") ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE", `Send the body as ${MEDIA_TYPE}.`);
  }
  return parseObject(text);
}

export const loader = answerScim;
export const action = answerScim;
