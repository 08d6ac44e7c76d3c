// Real identity providers (npm oidc-provider) in a process of their own: node provider.mjs WAY WAY, talks over IPC. There is
// one for each way in which a client proves itself. They sign in whoever the form names.
import { generateKeyPair } from "node:crypto";
import { createServer } from "node:http";
import { promisify } from "node:util";
import Provider from "oidc-provider";

const CLIENT_ID = "payeeproof";
const CLIENT_SECRET = "a-secret-with_every.kind~of+letter/=";

async function newKey(kid) {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" };
}

/** A provider at an address of its own. @returns what a client of it knows, and what gives it a new key */
async function serve(clientAuth) {
  let keys = 0;
  let callback = () => {};
  const server = createServer((request, response) => callback(request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;

  /** The same provider with a new key: what it signed before no longer counts. */
  async function start() {
    keys += 1;
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: ["http://app.test/auth/company/org/return"],
          response_types: ["code"],
          grant_types: ["authorization_code"],
          token_endpoint_auth_method: clientAuth,
        },
      ],
      clientAuthMethods: [clientAuth],
      jwks: { keys: [await newKey(`key-${keys}`)] },
      cookies: { keys: ["a-cookie-key-of-the-tests"] },
      pkce: { required: () => true },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({
          sub: id,
          email: `${id}@bigcorp.example`,
          email_verified: !id.startsWith("unverified"),
          given_name: "Mira",
          family_name: "Okafor",
        }),
      }),
      ttl: { AccessToken: 3600, AuthorizationCode: 60, IdToken: 3600, Session: 3600, Interaction: 600, Grant: 3600 },
    });
    callback = provider.callback();
  }

  await start();
  return { start, client: { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } };
}

const providers = await Promise.all(process.argv.slice(2).map(serve));
process.on("message", async (at) => {
  await providers[at].start();
  process.send("rotated");
});
process.on("disconnect", () => process.exit(0));
process.send(providers.map(({ client }) => client));
