import { bsbDirectory, users } from "@db/database";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { action, loader } from "~/routes/_app+/admin.bsb-directory";
import { withDirectoryOfItsOwn } from "../support/bsb-directory";
import { aMember } from "../support/factories";
import { peek } from "../support/payees";
import { routeArgs } from "../support/requests";
import { testServices } from "../support/services";

const PATH = "/admin/bsb-directory";
const ROW = "062-000,CBA,Sydney,48 Martin Place,Sydney,NSW,2000,PEH";

withDirectoryOfItsOwn();

async function anOffice() {
  const services = testServices();
  const actor = await aMember(services, { role: "admin" });
  await peek.update(users).set({ role: "super_admin" }).where(eq(users.id, actor.userId));
  /** Posts a form as a browser without scripts does. */
  const post = async (fields: Record<string, string | Blob>) => {
    const args = await routeArgs(services, actor, PATH);
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const headers = { Cookie: args.request.headers.get("Cookie") ?? "", Accept: "text/html" };
    const answer = await action({
      ...args,
      request: new Request(args.request.url, { method: "POST", headers, body: form }),
    });
    if (answer instanceof Response) return { status: answer.status, errors: undefined };
    const { data, init } = answer as { data: { errors?: Record<string, string[]> }; init: { status: number } };
    return { status: init.status, errors: data.errors };
  };
  const see = async () => {
    const page = await loader(await routeArgs(services, actor, PATH));
    if (page instanceof Response) throw new Error("no page");
    return page;
  };
  return { post, see };
}

const aFile = (text: string) => new File([text], "november.csv", { type: "text/csv" });

test("a file is uploaded, its changes are shown, and it is taken", async () => {
  const { post, see } = await anOffice();
  expect((await post({ file: aFile(ROW) })).status).toBe(303);
  const { waiting, inUse } = await see();
  expect(inUse).toBeNull();
  expect(waiting).toMatchObject({ fileName: "november.csv", rowCount: 1, changes: [{ title: "New", count: 1 }] });
  expect(await peek.select().from(bsbDirectory)).toEqual([]);
  expect((await post({ uploadId: waiting?.uploadId ?? "", comparedWith: waiting?.comparedWith ?? "" })).status).toBe(
    303,
  );
  expect(await see()).toMatchObject({ waiting: null, inUse: { fileName: "november.csv", rowCount: 1 } });
  expect(await peek.select().from(bsbDirectory)).toMatchObject([{ bsb: "062000", status: "open" }]);
});

test.each([
  ["no file", {}, 400, { file: ["Choose a file"] }],
  ["a wrong line", { file: aFile(`${ROW}\noops`) }, 400, { file: ["Line 2: 1 columns where the directory has 8."] }],
  ["an empty file", { file: aFile("") }, 400, { file: ["Line 1: the file holds no rows."] }],
  ["a file that is too large", { file: aFile("x".repeat(5 * 1024 * 1024)) }, 413, undefined],
] as const)("%s is refused and nothing changes", async (_, fields, status, errors) => {
  const { post, see } = await anOffice();
  const refused = await post(fields);
  expect(refused.status).toBe(status);
  if (errors) expect(refused.errors).toEqual(errors);
  expect(await see()).toMatchObject({ waiting: null, inUse: null });
});

test("an upload that another replaced is not taken", async () => {
  const { post, see } = await anOffice();
  await post({ file: aFile(ROW) });
  const first = (await see()).waiting?.uploadId ?? "";
  await post({ file: aFile(ROW) });
  expect((await post({ uploadId: first, comparedWith: "" })).status).toBe(409);
});
