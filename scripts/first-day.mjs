// npm run first-day -- NAME: one call to a real sandbox whose key is set in the shell (docs/operations/first-day.md).
import { main } from "./lib/console.mjs";
import { askParty, PARTIES } from "./lib/first-day.mjs";

await main(async () => {
  const [name = ""] = process.argv.slice(2);
  if (!Object.hasOwn(PARTIES, name)) throw new Error(`Name one of ${Object.keys(PARTIES).join(", ")}`);
  const { missing, found, refused } = await askParty(name, process.env, fetch);
  if (missing.length > 0) throw new Error(`Set ${missing.join(", ")} in the shell`);
  for (const [sentence, isTrue] of found) console.log(`${isTrue ? "yes" : "NO "}  ${sentence}`);
  for (const sentence of refused) console.log(sentence);
  process.exit(found.every(([, isTrue]) => isTrue) ? 0 : 1);
});
