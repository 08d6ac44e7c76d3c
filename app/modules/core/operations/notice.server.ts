import { incidents, siteNotices } from "@db/database";
import { eq, isNull } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import type { Component } from "~/kernel/enums";
import { runCommand } from "~/modules/core/commands/run-command.server";
import {
  type AppConfig,
  type Origin,
  PLATFORM_ORGANIZATION_ID,
  type ReadServices,
  type Services,
  type WriteServices,
} from "~/services-and-actor";
import { isPublic } from "./problems";

/** The words for each part of the service. Every page shows `trouble` while the part does not work. */
export const COMPONENT_WORDS: Readonly<Record<Component, { name: string; trouble: string }>> = {
  app: { name: "Website and API", trouble: "The website and the API are not working properly." },
  background: {
    name: "Background work",
    trouble: "Imports, payment files and messages take longer than usual. Nothing is lost.",
  },
  email: { name: "Email", trouble: "Emails are delayed. We keep trying, and nothing is lost." },
  texts: { name: "Text messages", trouble: "Text messages are delayed. We keep trying." },
  bank_consent: {
    name: "Bank checks by consent (Basiq)",
    trouble: "Bank checks with Basiq are delayed. We keep asking, and no check ends because of this.",
  },
  bank_instant: {
    name: "Confirmation of Payee",
    trouble: "Confirmation of Payee does not answer. You can verify a payee another way.",
  },
  register: {
    name: "Public registers",
    trouble: "A public register does not answer. ABNs and email domains are looked up later.",
  },
  accounting: {
    name: "Xero and MYOB",
    trouble: "Xero or MYOB does not answer. Changes to suppliers and bills are noticed later.",
  },
  billing: { name: "Card payments (Stripe)", trouble: "Card payments for subscriptions do not work at the moment." },
  seals: { name: "Seals of the audit trail", trouble: "Entries of the audit trail are sealed later than usual." },
};

const LONGEST = 400;

export const noticeSchema = z.union([
  z.object({
    intent: z.literal("set-notice"),
    text: z.string("Write what everyone should read").trim().min(1, "Write what everyone should read").max(LONGEST),
  }),
  z.object({ intent: z.literal("remove-notice") }),
]);

const NOTICE_ID = 1;

/** The notice that a super admin wrote; undefined when there is none. */
export async function findNotice({ db }: ReadServices): Promise<string | undefined> {
  const [row] = await db.select({ text: siteNotices.text }).from(siteNotices).where(eq(siteNotices.id, NOTICE_ID));
  return row?.text;
}

/** @throws AppError 409 CHANGED_MEANWHILE when the notice no longer exists */
export async function changeNotice(
  services: WriteServices,
  administrator: { userId: string; origin: Origin },
  change: z.infer<typeof noticeSchema>,
): Promise<void> {
  const { db, clock } = services;
  const before = await findNotice(services);
  if (change.intent === "remove-notice" && before === undefined)
    throw new AppError("CHANGED_MEANWHILE", "There is no notice now.");
  const row = change.intent === "set-notice" ? { text: change.text, setAt: clock.now() } : undefined;
  const entry = row
    ? ({ action: "platform.notice_set", details: { text: row.text } } as const)
    : ({ action: "platform.notice_removed", details: { text: before ?? "" } } as const);
  await runCommand(
    services,
    { ...administrator, organizationId: PLATFORM_ORGANIZATION_ID },
    {
      statements: [
        row
          ? db
              .insert(siteNotices)
              .values({ id: NOTICE_ID, ...row })
              .onConflictDoUpdate({ target: siteNotices.id, set: row })
          : db.delete(siteNotices).where(eq(siteNotices.id, NOTICE_ID)),
      ],
      audit: [{ ...entry, entityType: "organization", entityId: PLATFORM_ORGANIZATION_ID }],
    },
  );
}
const kept = new WeakMap<AppConfig, { readAt: number; lines: readonly string[] }>();
const FRESH_MS = 30_000;

/** What every page shows: the notice and known problems, read twice a minute; if unreadable, as it was before. */
export async function readNotices(services: Pick<Services, "db" | "clock" | "config">): Promise<readonly string[]> {
  const { clock, config } = services;
  const known = kept.get(config);
  if (known && clock.now() - known.readAt < FRESH_MS) return known.lines;
  try {
    const lines = await askNotices(services);
    kept.set(config, { readAt: clock.now(), lines });
    return lines;
  } catch {
    return known?.lines ?? [];
  }
}

async function askNotices(services: ReadServices): Promise<readonly string[]> {
  const [notice, open] = await Promise.all([
    findNotice(services),
    services.db
      .select({ watched: incidents.watched, component: incidents.component })
      .from(incidents)
      .where(isNull(incidents.endedAt))
      .limit(20),
  ]);
  const components = [...new Set(open.filter(isPublic).map(({ component }) => component))];
  return [...(notice === undefined ? [] : [notice]), ...components.map(sentenceOf)];
}

const sentenceOf = (component: Component): string => COMPONENT_WORDS[component].trouble;
