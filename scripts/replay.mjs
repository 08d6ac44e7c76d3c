// npm run replay -- ID: runs the stored decisions of a payment file, or of one payment, again and says whether they come
// out the same.
// The organisation's API token (scope payments:read) is read from PAYEEPROOF_TOKEN.
import { main } from "./lib/console.mjs";
import { readPlace } from "./lib/local-env.mjs";

await main(async () => {
  const [id] = process.argv.slice(2);
  const token = process.env.PAYEEPROOF_TOKEN;
  if (!id || !token) throw new Error("usage: PAYEEPROOF_TOKEN=pp_... npm run replay -- ID_OF_A_FILE_OR_PAYMENT");
  const { appOrigin } = readPlace();
  const ask = (what) =>
    fetch(`${appOrigin}/api/${what}/${encodeURIComponent(id)}/replay`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  const ofFile = await ask("payment-files");
  const response = ofFile.status === 404 ? await ask("payments") : ofFile;
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${answer.message}`);
  console.log(JSON.stringify(answer, null, 2));
  if (answer.differentCount > 0 || answer.unreadableCount > 0) process.exitCode = 1;
});
