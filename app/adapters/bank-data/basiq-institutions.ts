import { DAY_MS } from "~/kernel/dates";
import type { Clock, Log } from "~/services";
import type { BasiqClient } from "./basiq-client";
import { connectorSchema } from "./basiq-schema";

/** The provider's names of institutions, by the ids that accounts carry. */
export type InstitutionNames = { read(): Promise<ReadonlyMap<string, string>> };

/**
 * The names from the list of connectors (`GET /connectors`), kept in memory for a day: banks seldom change their names.
 * Without an answer there are no names: a check compares accounts and holders all the same, the log says so, and the
 * next check asks again.
 */
export function createInstitutionNames(
  client: Pick<BasiqClient, "listLong">,
  { clock, log }: { clock: Clock; log?: Pick<Log, "warn"> },
): InstitutionNames {
  let kept: { names: ReadonlyMap<string, string>; until: number } | undefined;
  return {
    async read() {
      if (kept && clock.now() < kept.until) return kept.names;
      try {
        const connectors = await client.listLong("/connectors", connectorSchema);
        const named = connectors.flatMap(({ id, institution }) => {
          const name = institution?.name?.trim();
          return name ? [[id, name] as const] : [];
        });
        kept = { names: new Map(named), until: clock.now() + DAY_MS };
        return kept.names;
      } catch (error) {
        log?.warn("basiq.institutions_not_read", { error: String(error) });
        return new Map();
      }
    },
  };
}
