import type { Statement } from "@db/client";
import { recoveryCodes } from "@db/schema";
import { eq } from "drizzle-orm";
import type { Person } from "~/kernel/actor";
import { toBase32 } from "~/kernel/base32";
import { formatDateTime } from "~/kernel/dates";
import { appPaths } from "~/kernel/paths/app";
import type { NewJob } from "~/modules/core/commands/outbox.statements.server";
import { queueEmail } from "~/modules/messages/notifications/notifications.server";
import type { NotifyServices, Services } from "~/services";
import type { SignedIn } from "../sessions/signed-in.server";
import { formatRecoveryCode, parseRecoveryCode, RECOVERY_CODE_COUNT } from "./recovery-code";

/** A signed-in person with recovery codes that are shown once and kept as hashes only. */
export type WithCodes = SignedIn & { codes: string[] };

const RECOVERY_CODE_BYTES = 10;

/** New recovery codes in place of the old ones. */
export async function makeRecoveryCodes(
  { db, clock, secrets }: Pick<Services, "db" | "clock" | "secrets">,
  userId: string,
): Promise<{ codes: string[]; statements: Statement[] }> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    formatRecoveryCode(toBase32(crypto.getRandomValues(new Uint8Array(RECOVERY_CODE_BYTES)))),
  );
  const createdAt = clock.now();
  const rows = await Promise.all(
    codes.map(async (code) => ({
      userId,
      codeHash: await secrets.hashToken(parseRecoveryCode(code) ?? ""),
      createdAt,
    })),
  );
  return {
    codes,
    statements: [
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
      db.insert(recoveryCodes).values(rows),
    ],
  };
}

/** The email that tells a person what changed about their two-step sign-in. */
export function queueTwoStepEmail(
  services: NotifyServices,
  { organizationId, email, firstName }: Person,
  change: "enabled" | "disabled" | "recovery_codes",
): Promise<NewJob[]> {
  const at = formatDateTime(services.clock.now());
  const href = `${services.config.appOrigin}${appPaths.twoStep}`;
  return queueEmail(services, organizationId, [email], {
    template: "twoStepChanged",
    data: { firstName, change, at, href },
  });
}
