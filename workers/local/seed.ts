import * as z from "zod";
import { json } from "~/http/api.server";
import { readJson } from "~/http/body.server";
import type { Services } from "~/services";
import { ensureOrganization, ensurePerson } from "./people";

const PEOPLE = [
  { email: "alex@harbour.example", firstName: "Alex", lastName: "Marsh", role: "admin" },
  { email: "sam@harbour.example", firstName: "Sam", lastName: "Iyer", role: "member" },
  { email: "ros@harbour.example", firstName: "Ros", lastName: "Kemp", role: "read_only" },
] as const;

/** Makes the demo organisation and its people, once; says whom to sign in as. */
export async function seedDemo(request: Request, _url: URL, services: Services): Promise<Response> {
  const { password } = await readJson(request, z.object({ password: z.string().min(8) }));
  const organization = await ensureOrganization(services, {
    name: "Harbour Joinery Pty Ltd",
    domain: "harbour.example",
  });
  const passwordHash = await services.passwords.hash(password);
  for (const person of PEOPLE) await ensurePerson(services, { ...person, organization }, passwordHash);
  return json({ organization: organization.name, people: PEOPLE.map(({ email, role }) => ({ email, role })) });
}
