import type { Statement } from "@db/client";
import { alertContacts } from "@db/schema";
import type { ReadServices } from "~/services";

type ContactChange = Partial<typeof alertContacts.$inferInsert> & { updatedAt: number };

/** Changes how a person is reached, whether or not anything was kept of it before. */
export function setContact({ db }: ReadServices, userId: string, change: ContactChange): Statement {
  return db
    .insert(alertContacts)
    .values({ userId, ...change })
    .onConflictDoUpdate({ target: alertContacts.userId, set: change });
}
