// npm run replay -- FILE_ID: runs the stored decisions of a payment file again and says whether they come out the same.
// The organisation's API token (scope payments:read) is read from PAYEEPROOF_TOKEN.
import { main } from "./lib/console.mjs";
import { readPlace } from "./lib/local-env.mjs";

await main(async () => {
  const [fileId] = process.argv.slice(2);
  const token = process.env.PAYEEPROOF_TOKEN;
  if (!fileId || !token) throw new Error("usage: PAYEEPROOF_TOKEN=pp_... npm run replay -- FILE_ID");
  const { appOrigin } = readPlace();
  const response = await fetch(`${appOrigin}/api/payment-files/${encodeURIComponent(fileId)}/replay`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${response.status}: ${answer.message}`);
  console.log(JSON.stringify(answer, null, 2));
  if (answer.differentCount > 0) process.exitCode = 1;
});
