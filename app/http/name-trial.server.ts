import { data as answer } from "@remix-run/cloudflare";
import { AppError } from "~/kernel/app-error";
import { matchNames, type NameMatch } from "~/modules/name-match";
import { type NamePair, readNamePair } from "~/modules/name-match/name-pair.schema.server";
import { readForm } from "./body.server";
import { limitByAddress } from "./rate-limit.server";

/** What was compared, or why it was not. */
type Trial = NamePair & { match?: NameMatch; failure?: string };

type Names = { submitted: string; held: string };

type TrialScope = Parameters<typeof limitByAddress>[0] & { request: Request };

/** The example that the address asks for, compared; without one the first. */
export function compareExample(url: URL, examples: readonly [Names, ...Names[]]) {
  const { submitted, held } = examples[Number(url.searchParams.get("example")) - 1] ?? examples[0];
  return { submitted, held, match: matchNames(submitted, held) };
}

/** Two names of a form, compared; nothing of them is kept. */
export async function compareTyped(scope: TrialScope) {
  const pair = readNamePair(await readForm(scope.request));
  if (pair.errors) return answer<Trial>(pair, { status: 400 });
  try {
    await limitByAddress(scope, "name-match");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return answer<Trial>({ ...pair, failure: error.message }, { status: error.status });
  }
  return answer<Trial>({ ...pair, match: matchNames(pair.submitted, pair.held) });
}
