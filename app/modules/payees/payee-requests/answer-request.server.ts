import { payeeLinks, payeeRequests, payees, type Statement, verifications } from "@db/database";
import { and, eq } from "drizzle-orm";
import { AppError } from "~/kernel/app-error";
import { maskAccountNumber } from "~/kernel/bank-account";
import type { NotificationChannel } from "~/kernel/enums";
import type { PayeeDetails } from "~/kernel/payee";
import { formatPhone } from "~/kernel/phone";
import { displayName } from "~/kernel/text";
import { runCommand } from "~/modules/core/commands/run-command.server";
import { fingerprintPayee } from "~/modules/core/payee-keys";
import { openPrepared, prepareVerification } from "~/modules/payees/open-verification.server";
import { accountIsFree, findPayeeByAccount, insertPayees } from "~/modules/payees/payee.server";
import { payeeConstraints } from "~/modules/payees/payee-form.server";
import { PAYEE_LINK_TTL_MS } from "~/modules/payees/payee-links/payee-link";
import type { Origin, Services, WriteServices } from "~/services-and-actor";
import { closedWords, type RequestState, requestState } from "./payee-request";
import { type FoundRequest, getRequestByToken, isRequest, leadsToBank, requestIsOpen } from "./payee-request.server";

export type RequestPage =
  | ({ state: "open"; organizationName: string } & ReturnType<typeof openForm>)
  | {
      state: "closed";
      /** Null: the link is unknown. */
      organizationName: string | null;
      title: string;
      sentences: string[];
      leadsToBank: boolean;
    };

const STATUSES: Readonly<Record<RequestState, number>> = { open: 200, answered: 200, cancelled: 410, expired: 410 };

/**
 * What a link shows, and its HTTP status. Opening it changes nothing, because mail scanners open links too.
 * @param visit.isFresh the answer was given just now
 * @throws AppError 404
 */
export async function showRequest(
  services: Pick<Services, "db" | "secrets" | "clock">,
  token: string,
  { isFresh }: { isFresh: boolean },
): Promise<{ status: number; view: RequestPage }> {
  const request = await getRequestByToken(services, token);
  const { organizationName } = request;
  const state = requestState(request, services.clock.now());
  const status = STATUSES[state];
  if (state === "open") return { status, view: { state, organizationName, ...openForm(request) } };
  const goesOn = await leadsToBank(services, request);
  const words = closedWords(state, { organizationName, isFresh, leadsToBank: goesOn });
  return { status, view: { state: "closed", organizationName, ...words, leadsToBank: goesOn } };
}

function openForm({ name, email, phone, channel, note, asker }: FoundRequest) {
  const contact: { channel: NotificationChannel; shown: string } = {
    channel,
    shown: channel === "email" ? (email ?? "") : formatPhone(phone ?? ""),
  };
  return {
    askedBy: displayName(asker),
    note,
    contact,
    constraints: payeeConstraints,
    values: { name, accountName: "", bsb: "", accountNumber: "", abn: "", email: "", phone: "" },
  };
}

/** A person may add the account at the same moment; the answer is then handled again. */
const TRIES = 2;

/**
 * Stores the details that a payee entered: a draft payee with a verification that no rule can approve alone. If the
 * organisation already has the account, no second payee is created; the organisation learns of this, the payee does
 * not.
 *
 * @throws AppError 404; 409 LINK_USED; 410 LINK_EXPIRED
 */
export async function answerRequest(
  services: WriteServices,
  origin: Origin,
  { token, details }: { token: string; details: PayeeDetails },
): Promise<void> {
  const request = await getOpenRequest(services, token);
  const known = withProvenContact(request, details);
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const existing = await findPayeeByAccount(services, request.organizationId, known);
    const written = existing
      ? await recordDuplicate(services, origin, request, existing.id)
      : await addDraft(services, origin, request, known);
    if (written) return;
    await getOpenRequest(services, token);
  }
  throw new AppError("CHANGED_MEANWHILE", "Your details could not be accepted just now. Please send them again.");
}

/** @throws AppError 404; 409 LINK_USED; 410 LINK_EXPIRED */
async function getOpenRequest(services: WriteServices, token: string): Promise<FoundRequest> {
  const request = await getRequestByToken(services, token);
  const state = requestState(request, services.clock.now());
  if (state === "open") return request;
  if (state === "answered") throw new AppError("LINK_USED", "You have already sent your details.", { status: 409 });
  throw new AppError("LINK_EXPIRED", "This link has expired. Ask the sender for a new one.");
}

/** Keeps the address or number that the link was sent to: the person using it has just proved that it is theirs. */
function withProvenContact({ channel, email, phone }: FoundRequest, details: PayeeDetails): PayeeDetails {
  if (channel === "email") return { ...details, email, phone: details.phone ?? phone };
  return { ...details, phone, email: details.email ?? email };
}

const actingOf = ({ organizationId }: FoundRequest, origin: Origin) => ({ userId: null, organizationId, origin });

/** Adds the draft as the work of whoever sent the request: a required second person must be somebody else. */
async function addDraft(services: WriteServices, origin: Origin, request: FoundRequest, details: PayeeDetails) {
  const { organizationId, requestedById } = request;
  const asker = { userId: requestedById, organizationId, origin };
  const payeeId = services.ids.next();
  const [digests, prepared] = await Promise.all([
    fingerprintPayee(services, details),
    prepareVerification(services, asker, { payeeId, details, cause: "sent_by_payee" }),
  ]);
  const { verificationId } = prepared;
  const masked = { ...details, accountNumber: maskAccountNumber(details.accountNumber) };
  const { ok } = await runCommand(services, actingOf(request, origin), {
    conditions: [requestIsOpen(services, request, services.clock.now()), accountIsFree(organizationId, details)],
    uniques: { account_taken: "payees" },
    statements: insertPayees(services, asker, [{ id: payeeId, details, ...digests }]),
    parts: [
      openPrepared(services, asker, prepared),
      { statements: [...draftStatements(services, request, { payeeId, verificationId })] },
    ],
    audit: [
      {
        action: "payee_request.answered_by_payee",
        entityId: request.id,
        details: { name: details.name, payeeId, verificationId },
      },
      { action: "payee.added_by_payee", entityId: payeeId, details: masked },
    ],
  });
  return ok;
}

function draftStatements(
  { db, clock }: WriteServices,
  request: FoundRequest,
  { payeeId, verificationId }: { payeeId: string; verificationId: string },
): Statement[] {
  const { organizationId, tokenHash } = request;
  const now = clock.now();
  return [
    db
      .update(payees)
      .set({ draftSince: now })
      .where(and(eq(payees.organizationId, organizationId), eq(payees.id, payeeId))),
    // The payee typed these details and has the link, so its token also serves for the way to the bank and back.
    db
      .update(verifications)
      .set({
        verifiedByPayee: true,
        verifiedByPayeeAt: now,
        verificationTokenExpiresAt: now + PAYEE_LINK_TTL_MS,
        verificationChannel: request.channel,
      })
      .where(and(eq(verifications.organizationId, organizationId), eq(verifications.id, verificationId))),
    db.insert(payeeLinks).values({ tokenHash, organizationId, verificationId, createdAt: now }),
    db
      .update(payeeRequests)
      .set({ status: "answered", closedAt: now, payeeId, verificationId })
      .where(isRequest(request)),
  ];
}

async function recordDuplicate(services: WriteServices, origin: Origin, request: FoundRequest, payeeId: string) {
  const closed = { status: "answered", closedAt: services.clock.now(), payeeId, isDuplicate: true } as const;
  const { ok } = await runCommand(services, actingOf(request, origin), {
    conditions: [requestIsOpen(services, request, services.clock.now())],
    statements: [services.db.update(payeeRequests).set(closed).where(isRequest(request))],
    audit: [
      {
        action: "payee_request.answered_by_payee",
        entityId: request.id,
        details: { name: request.name, payeeId, isDuplicate: true },
      },
    ],
  });
  return ok;
}
