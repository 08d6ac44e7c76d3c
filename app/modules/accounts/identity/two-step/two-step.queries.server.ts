import { recoveryCodes, twoSteps } from "@db/schema";
import { and, count, eq, isNull } from "drizzle-orm";
import { renderSVG } from "uqr";
import type { Person } from "~/kernel/actor";
import type { Services } from "~/services";
import { totpUri } from "./totp.server";
import { openTotpSecret } from "./two-step.server";
import type { TwoStepView } from "./two-step-view";

const GROUPS = /.{1,4}/g;

/** Where a person's two-step sign-in stands, as their page shows it. */
export async function readTwoStep(
  services: Pick<Services, "db" | "clock" | "secrets">,
  person: Person,
): Promise<TwoStepView> {
  const { db } = services;
  const { userId, email } = person;
  const [row] = await db
    .select({ sealedSecret: twoSteps.sealedSecret, enabledAt: twoSteps.enabledAt })
    .from(twoSteps)
    .where(eq(twoSteps.userId, userId));
  if (!row) return { state: "off" };
  if (row.enabledAt === null) {
    const secret = await openTotpSecret(services, userId, row.sealedSecret);
    const svg = renderSVG(totpUri(secret, email), { border: 2 });
    return {
      state: "setting_up",
      image: `data:image/svg+xml;base64,${btoa(svg)}`,
      secret: secret.match(GROUPS)?.join(" ") ?? "",
    };
  }
  const [left] = await db
    .select({ count: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return { state: "on", enabledAt: row.enabledAt, codesLeft: left?.count ?? 0 };
}
