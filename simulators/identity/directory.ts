import { html, page } from "../html";
import type { SimulatedCall, SimulatorContext } from "../party";
import { type Route, route } from "../routes";

const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";

/** A page on which a person acts for a company's directory, and calls the app as a directory does (RFC 7644). */
export function directoryRoutes(context: SimulatorContext): Route[] {
  const show = (said = "", token = "", email = "") =>
    page(
      "A company's directory",
      html`<form method="post"><p><label>Token <input name="token" size="60" value="${token}" required></label></p>
<p><label>Email <input name="email" type="email" value="${email}" required></label></p>
<p><button name="intent" value="add">Add</button> <button name="intent" value="end" class="quiet">End the access</button>
<button name="intent" value="give" class="quiet">Give access again</button> <button name="intent" value="remove" class="quiet">Remove</button></p></form><pre>${said}</pre>`,
    );

  async function send({ body }: SimulatedCall): Promise<Response> {
    const form = new URLSearchParams(body);
    const [token, email, intent] = ["token", "email", "intent"].map((name) => (form.get(name) ?? "").trim());
    const call = async (method: string, path: string, json?: object) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
      const sent = json === undefined ? undefined : JSON.stringify(json);
      const answer = await context.callApp(
        new Request(`${context.appOrigin}/scim/v2${path}`, { method, headers, body: sent }),
      );
      return { status: answer.status, text: await answer.text() };
    };
    const said: string[] = [];
    const tell = (what: string, { status, text }: { status: number; text: string }) =>
      said.push(`${what}: ${status} ${text}`);
    if (intent === "add") {
      tell("POST /Users", await call("POST", "/Users", { schemas: [USER], userName: email, active: true }));
      return show(said.join("\n"), token, email);
    }
    const found = await call("GET", `/Users?${new URLSearchParams({ filter: `userName eq "${email}"` })}`);
    tell("GET /Users", found);
    const [person] = found.status === 200 ? (JSON.parse(found.text) as { Resources: { id: string }[] }).Resources : [];
    if (person && intent === "remove") tell("DELETE", await call("DELETE", `/Users/${person.id}`));
    if (person && intent !== "remove") {
      const Operations = [{ op: "Replace", path: "active", value: intent === "give" ? "True" : "False" }];
      tell("PATCH", await call("PATCH", `/Users/${person.id}`, { schemas: [PATCH], Operations }));
    }
    return show(said.join("\n"), token, email);
  }

  return [route("GET", "/directory", () => show()), route("POST", "/directory", send)];
}
