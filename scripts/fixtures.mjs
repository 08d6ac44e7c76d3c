// npm run fixtures: people, payees, verifications and links to test and bench with, in the running local app.
import { main } from "./lib/console.mjs";
import { readPlace, readSecrets } from "./lib/local-env.mjs";

await main(async () => {
  const { appOrigin, stateDir } = readPlace();
  const secrets = readSecrets(stateDir);
  const response = await fetch(`${appOrigin}/__local/fixtures`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ password: secrets.DEMO_PASSWORD }),
  }).catch(() => {
    throw new Error(`nothing answers on ${appOrigin}: start the app first (npm start)`);
  });
  if (!response.ok) throw new Error(`${appOrigin} answered ${response.status}: only a local app has fixtures`);
  const webhookSecrets = { stripe: secrets.STRIPE_WEBHOOK_SECRET, basiq: secrets.BASIQ_WEBHOOK_SECRET };
  console.log(JSON.stringify({ ...(await response.json()), webhookSecrets }, null, 2));
});
