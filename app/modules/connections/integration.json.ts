import { type ConnectableSystem, SYSTEM_NAMES } from "~/kernel/accounting-system";
import { toIso } from "~/kernel/dates";
import type { IntegrationStatus } from "~/kernel/enums";

type Row = {
  status: IntegrationStatus;
  ledgerName: string | null;
  lastSyncAt: number | null;
  lastError: string | null;
  wantedAt: number | null;
  syncStartedAt: number | null;
  notedTo: number | null;
};

/** A connection to an accounting system as the API shows it; `none` where there never was one. Nothing secret. */
export function toIntegrationJson(system: ConnectableSystem, row: Row | undefined) {
  const status = row?.status ?? ("none" as const);
  return {
    system,
    name: SYSTEM_NAMES[system],
    status,
    ledgerName: status === "connected" || status === "broken" ? (row?.ledgerName ?? null) : null,
    isReading: status === "connected" && (row?.wantedAt != null || row?.syncStartedAt != null),
    lastSyncAt: row?.lastSyncAt == null ? null : toIso(row.lastSyncAt),
    lastError: row?.lastError ?? null,
    writesNotes: row?.notedTo != null,
  };
}
