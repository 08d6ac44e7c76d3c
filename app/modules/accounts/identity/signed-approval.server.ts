import { type Condition, signedApprovals } from "@db/database";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { and, asc, eq, or } from "drizzle-orm";
import * as z from "zod";
import { AppError } from "~/kernel/app-error";
import { formatDateTime, toIso } from "~/kernel/dates";
import { canonicalJson, toBase64Url } from "~/kernel/encodings";
import { type CommandPart, runCommand } from "~/modules/core/commands/run-command.server";
import type { Actor, ReadServices, Services } from "~/services-and-actor";
import { aboutUser } from "./account.server";
import {
  type Assertion,
  checkAssertion,
  findPasskey,
  isOpen,
  keyDigest,
  listCredentials,
  queuePasskeyEmail,
  readAssertion,
  relyingParty,
} from "./passkey-assertion.server";
import { countFailure, forgetFailures, passkeyLock, requireUnlocked } from "./proof.server";

/**
 * Approvals signed with a passkey: the challenge is the SHA-256 of a text with what the page showed. The page carries
 * the text, encrypted for its session; if anything differs when the button is pressed, the approval is refused. The
 * signed text is stored (`signed_approvals`), and evidence packs prove it without us.
 */

/** The details to approve, in readable form. */
export type Approvable = {
  decision:
    | "approve_payment"
    | "approve_lines"
    | "clear_file"
    | "change_policies"
    | "confirm_policy"
    | "change_limits"
    | "give_role";
  entityType: "payment" | "payment_file" | "organization";
  entityId: string;
  shows: readonly { term: string; value: string }[];
};

const textSchema = z.object({
  /** If the meaning of a member changes, this gets a new number. */
  format: z.literal("payeeproof-approval-1"),
  decision: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  about: z.object({ type: z.string(), id: z.string() }),
  shows: z.array(z.object({ term: z.string(), value: z.string() })),
  /** Where and when the page was created, and 256 random bits: no two texts are the same, and none can be guessed. */
  origin: z.string(),
  madeAt: z.string(),
  nonce: z.string(),
});

/** The text that is signed is the canonical JSON of this. */
type SignedText = z.infer<typeof textSchema>;

const sealedSchema = z.object({ sessionId: z.string(), text: textSchema });

const CONTEXT = "signed-approval";

/** What a page with such a decision needs. */
export type OfferedApproval = {
  /** The encrypted text, which the form sends back. */
  sealed: string;
  shows: Approvable["shows"];
  /** The options for the device; null: this person has no passkey, or none can be used at this address. */
  options: Pick<
    PublicKeyCredentialRequestOptionsJSON,
    "challenge" | "rpId" | "allowCredentials" | "userVerification"
  > | null;
  /** The person's only passkey is new and counts from this time; null: there is another reason. */
  countsFrom: string | null;
};

async function challengeOf(text: SignedText): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(text));
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** What the page asks this person's passkey to sign. */
export async function offerApproval(services: Services, actor: Actor, asked: Approvable): Promise<OfferedApproval> {
  const { clock, ids, secrets, config } = services;
  const { decision, entityType: type, entityId: id, shows } = asked;
  const text: SignedText = {
    format: "payeeproof-approval-1",
    decision,
    organizationId: actor.organizationId,
    userId: actor.userId,
    about: { type, id },
    shows: [...shows],
    origin: config.appOrigin,
    madeAt: toIso(clock.now()),
    nonce: ids.secret(),
  };
  const [sealed, challenge, known] = await Promise.all([
    secrets.seal(JSON.stringify({ sessionId: actor.sessionId, text }), CONTEXT),
    challengeOf(text),
    listCredentials(services, actor.userId),
  ]);
  const { id: rpId, isPossible } = relyingParty(services);
  const now = clock.now();
  const allowCredentials = known
    .filter(({ countsFrom }) => countsFrom <= now)
    .map(({ id, transports }) => ({ id, transports, type: "public-key" as const }));
  const canSign = isPossible && allowCredentials.length > 0;
  const first = Math.min(...known.map(({ countsFrom }) => countsFrom));
  return {
    sealed,
    shows,
    options: canSign ? { challenge, rpId, allowCredentials, userVerification: "required" as const } : null,
    countsFrom: isPossible && !canSign && known.length > 0 ? formatDateTime(first, actor.timeZone) : null,
  };
}

/** The signature fields of a form. */
export const signedFields = {
  shownToPasskey: z.string().max(60_000).optional(),
  passkey: z.string().max(20_000).optional(),
};

export type SignedFields = { shownToPasskey?: string; passkey?: string };

/** The same, from a form whose other fields are parsed elsewhere. */
export const signedFieldsOf = (form: FormData): SignedFields => z.object(signedFields).parse(Object.fromEntries(form));

/** For the batch of the decision: refused when the passkey was used meanwhile. */
export type SignedPart = { conditions: Condition<"challenge_used" | "passkey_changed">[]; part: CommandPart };

/**
 * Requires that a passkey has signed a decision in its present form.
 * @param fields the form's signature fields; undefined for an API call, which cannot have any
 * @throws AppError 403 PASSKEY_REQUIRED, for a page with what is to be signed; 403 INVALID_PASSKEY for a wrong one or
 * another person's; 409 APPROVAL_CHANGED with what changed, or for one that was used or is too old; 429 SIGN_IN_LOCKED
 */
export async function requireSigned(
  services: Services,
  actor: Actor,
  asked: Approvable,
  fields: SignedFields | undefined,
): Promise<SignedPart> {
  if (!fields || actor.sessionId === "") throw needsBrowser();
  if (!fields.shownToPasskey || !fields.passkey) throw await needsPasskey(services, actor, asked);
  const lock = passkeyLock(actor.userId);
  await requireUnlocked(services, lock);
  const shown = await openShown(services, actor, asked, fields.shownToPasskey);
  if (!shown) throw await refuse(services, actor, asked, "not_shown");
  const { text, sessionId } = shown;
  // The person has signed in again since, and used an old page.
  if (sessionId !== actor.sessionId) throw await isOver(services, actor, asked);
  const changed = changesOf(text.shows, asked.shows);
  if (changed.length > 0) throw await hasChanged(services, actor, asked, changed);
  const challenge = await challengeOf(text);
  const kept = { challenge, purpose: "approve", boundTo: actor.sessionId, issuedAt: Date.parse(text.madeAt) } as const;
  const isUsed = await findByChallenge(services, actor, challenge);
  if (isUsed || !isOpen(services, kept, { purpose: "approve", boundTo: actor.sessionId }))
    throw await isOver(services, actor, asked);

  const answer = readAssertionOr(fields.passkey);
  const passkey = answer && (await findPasskey(services, answer.id));
  if (!answer || passkey?.userId !== actor.userId) throw await refuse(services, actor, asked, "passkey");
  if (passkey.countsFrom > services.clock.now()) throw isNew(passkey.countsFrom, actor);
  const checked = await checkAssertion(services, kept, passkey, answer);
  if ("refused" in checked) {
    const why = checked.refused === "counter" ? "passkey_counter" : "passkey";
    throw await refuse(services, actor, asked, why, passkey.name);
  }
  const { clientDataJSON, authenticatorData, signature } = answer.response;
  return {
    conditions: checked.taken.conditions,
    part: {
      statements: [
        ...checked.taken.statements,
        forgetFailures(services, lock),
        services.db.insert(signedApprovals).values({
          id: services.ids.next(),
          organizationId: actor.organizationId,
          entityType: asked.entityType,
          entityId: asked.entityId,
          userId: actor.userId,
          text: canonicalJson(text),
          challenge,
          publicKey: passkey.publicKey,
          credentialId: answer.id,
          clientDataJson: clientDataJSON,
          authenticatorData,
          signature,
          createdAt: services.clock.now(),
        }),
      ],
      audit: [
        {
          action: "approval.signed",
          entityType: asked.entityType,
          entityId: asked.entityId,
          details: { decision: asked.decision, challenge, key: await keyDigest(passkey.publicKey) },
        },
      ],
    },
  };
}

const needsBrowser = () =>
  new AppError(
    "PASSKEY_REQUIRED",
    "Your organisation requires a passkey for this decision. It can only be made on its page in a browser, not through the API.",
  );

const isNew = (countsFrom: number, { timeZone }: Actor) =>
  new AppError(
    "PASSKEY_REQUIRED",
    `This passkey is new: it can approve from ${formatDateTime(countsFrom, timeZone)}. Use an older one, or ask another approver. Nothing was decided.`,
  );

async function needsPasskey(services: Services, actor: Actor, asked: Approvable): Promise<AppError> {
  const approval = await offerApproval(services, actor, asked);
  const message =
    "Nothing has been decided yet. Read what your passkey signs, then approve with it, in a browser with JavaScript. Another approver who has a passkey can decide too.";
  return new AppError("PASSKEY_REQUIRED", message, { extra: { approval } });
}

async function hasChanged(services: Services, actor: Actor, asked: Approvable, changed: string[]): Promise<AppError> {
  const approval = await offerApproval(services, actor, asked);
  const message = `Something changed since the page was shown: ${changed.join("; ")}. Nothing was decided. Look again, then approve.`;
  return new AppError("APPROVAL_CHANGED", message, { extra: { changed, approval } });
}

async function isOver(services: Services, actor: Actor, asked: Approvable): Promise<AppError> {
  const approval = await offerApproval(services, actor, asked);
  const message = "This page is too old, or was already used for an approval. Nothing was decided. Approve again.";
  return new AppError("APPROVAL_CHANGED", message, { extra: { approval } });
}

/** What a page showed this person about this decision, and in which session; undefined for anything else. */
async function openShown(
  { secrets }: Services,
  actor: Actor,
  { decision, entityType, entityId }: Approvable,
  sealed: string,
): Promise<z.infer<typeof sealedSchema> | undefined> {
  const opened = await secrets.open(sealed, CONTEXT).then(
    (json) => sealedSchema.safeParse(JSON.parse(json)).data,
    () => undefined,
  );
  const text = opened?.text;
  const isIt =
    text?.userId === actor.userId &&
    text.organizationId === actor.organizationId &&
    text.decision === decision &&
    text.about.type === entityType &&
    text.about.id === entityId;
  return isIt ? opened : undefined;
}

/** "Amount was $10.00 and is $12.00": the differences now. */
function changesOf(before: Approvable["shows"], after: Approvable["shows"]): string[] {
  const [was, is] = [before, after].map((shows) => new Map(shows.map(({ term, value }) => [term, value])));
  const terms = [...new Set([...before, ...after].map(({ term }) => term))];
  return terms.flatMap((term) => {
    const [old, now] = [was?.get(term), is?.get(term)];
    return old === now ? [] : [`${term} was ${old ?? "not there"} and is ${now ?? "no longer there"}`];
  });
}

function readAssertionOr(text: string): Assertion | undefined {
  try {
    return readAssertion(text);
  } catch {
    return undefined;
  }
}

async function findByChallenge({ db }: ReadServices, { organizationId }: Actor, challenge: string): Promise<boolean> {
  const rows = await db
    .select({ id: signedApprovals.id })
    .from(signedApprovals)
    .where(and(eq(signedApprovals.organizationId, organizationId), eq(signedApprovals.challenge, challenge)));
  return rows.length > 0;
}

/** A wrong answer counts towards the passkeys' lock and is audited; the person is told of a possible copy. */
async function refuse(
  services: Services,
  actor: Actor,
  { decision, entityType, entityId }: Approvable,
  why: "not_shown" | "passkey" | "passkey_counter",
  name = "",
): Promise<AppError> {
  await runCommand(services, actor, {
    audit: [
      { action: "approval.refused", ...aboutUser(actor.userId), details: { decision, entityType, entityId, why } },
    ],
    jobs: why === "passkey_counter" ? await queuePasskeyEmail(services, actor, { change: "counter", name }) : [],
  });
  await countFailure(services, passkeyLock(actor.userId));
  return new AppError(
    "INVALID_PASSKEY",
    "This is not your passkey's approval of what the page shows. Nothing was decided. Open the page again.",
    { status: 403 },
  );
}

/** The signed texts about some subjects of an organisation, oldest first, for evidence packs. */
export async function listSigned(
  { db }: ReadServices,
  organizationId: string,
  about: readonly { type: string; id: string }[],
) {
  if (about.length === 0) return [];
  const rows = await db
    .select()
    .from(signedApprovals)
    .where(
      and(
        eq(signedApprovals.organizationId, organizationId),
        or(...about.map(({ type, id }) => and(eq(signedApprovals.entityType, type), eq(signedApprovals.entityId, id)))),
      ),
    )
    .orderBy(asc(signedApprovals.id));
  return rows.map(({ text, challenge, userId, publicKey, clientDataJson, authenticatorData, signature }) => ({
    text,
    challenge,
    userId,
    publicKey,
    clientDataJson,
    authenticatorData,
    signature,
  }));
}
