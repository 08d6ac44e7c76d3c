import * as z from "zod";
import { endSession, findPerson, startSession } from "~/http/session.server";
import { findSessionId } from "~/http/sign-in.server";
import { notFound } from "~/kernel/app-error";
import { SUBSCRIPTION_STATUSES, USER_ROLES, USER_STATUSES } from "~/kernel/enums";
import { findAccount } from "~/modules/accounts/billing/account.server";
import { cancelSubscription, createSubscription } from "~/modules/accounts/billing/manage-subscription.server";
import {
  askForPasswordReset,
  forgotPasswordSchema,
  resetPassword,
  resetPasswordCallSchema,
} from "~/modules/accounts/identity/password.server";
import { describeUser } from "~/modules/accounts/identity/profile.server";
import { register, registrationCallSchema } from "~/modules/accounts/identity/register.server";
import { type SignedIn, signOut } from "~/modules/accounts/identity/session.server";
import { loginCallSchema, signIn } from "~/modules/accounts/identity/sign-in.server";
import { selectionSchema, selectOrganization } from "~/modules/accounts/members/switch-organization.server";
import { countUnread, listAlerts, readAllAlerts } from "~/modules/messages/alerts/alerts.server";
import { UNREAD_CAP } from "~/modules/messages/alerts/unread";
import type { Services } from "~/services-and-actor";
import {
  choice,
  count,
  cursor,
  EXAMPLE,
  endpoint,
  flag,
  id,
  idOf,
  instant,
  NAMES,
  nextCursor,
  nothing,
  reply,
  text,
} from "./endpoint.server";

const user = z
  .object({
    id: id(EXAMPLE.person),
    username: text("mira.okafor"),
    email: text(EXAMPLE.email),
    emailVerified: flag(true),
    firstName: text("Mira"),
    lastName: text("Okafor"),
    organizationId: id(EXAMPLE.organization).nullable(),
    needsOrganizationSelection: flag(false),
    role: z.enum(USER_ROLES),
    status: z.enum(USER_STATUSES),
    pendingOrganizations: z.array(
      z.object({
        id: id(EXAMPLE.joinableOrganization),
        name: text("Harbour Joinery"),
        logo: text("/logo.png").optional(),
        subdomain: text("harbour").optional(),
      }),
    ),
    twoStepEnabled: flag(false),
  })
  .register(NAMES, { id: "User" });

const subscription = z
  .object({
    success: z.boolean(),
    subscription: z
      .object({
        status: z.enum(SUBSCRIPTION_STATUSES),
        currentPeriodEnd: instant.nullable(),
        cancelAtPeriodEnd: flag(false),
      })
      .nullable(),
    trialEndsAt: instant.nullable(),
  })
  .register(NAMES, { id: "Subscription" });

const subscribing = z.object({
  success: z.boolean(),
  subscription: z.object({
    status: z.enum(SUBSCRIPTION_STATUSES),
    clientSecret: text("pi_3Pxample_secret_x", "For the provider's card form.").nullable(),
  }),
});

const empty = z.object({});
/** These calls use an existing session, so an API token is refused although anybody can make them. */
const refusesTokens = ["INVALID_TOKEN", "SESSION_REQUIRED"] as const;
const signedIn = "The person; the answer's cookie is their session.";
async function signedInAs(services: Services, { token, person }: SignedIn) {
  const headers = { "Set-Cookie": await startSession(services, token) };
  return reply(await describeUser(services, person), { headers });
}

export const ACCOUNT_CALLS = [
  endpoint({
    id: "readUser",
    group: "account",
    at: "GET /api/user",
    by: "person",
    needs: "any",
    title: "Who am I",
    text: "With an API token: the person who made it.",
    answers: { 200: { text: "The person.", schema: user } },
    examples: [{ title: "The person", status: 200 }],
    run: ({ services, person }) => describeUser(services, person),
  }),
  endpoint({
    id: "register",
    group: "account",
    at: "POST /api/register",
    by: "anyone",
    title: "Register",
    text: "Creates a new organisation, or asks to join one. `organisationId` and `newOrganisation` may also be spelt with a z.",
    limit: "registration",
    body: registrationCallSchema,
    answers: { 201: { text: signedIn, schema: user } },
    refusals: [...refusesTokens, "EMAIL_EXISTS"],
    examples: [
      {
        title: "With a new organisation",
        status: 201,
        json: {
          email: EXAMPLE.newEmail,
          firstName: "Sam",
          lastName: "Tran",
          password: EXAMPLE.password,
          newOrganisation: { name: "Harbour Joinery" },
        },
      },
    ],
    run: async (args) => {
      const { services, origin, body } = args;
      const presentedSessionId = await findSessionId(args);
      const { token, person } = await register(services, origin, { ...body, presentedSessionId });
      return signedInAs(services, { token, person });
    },
  }),
  endpoint({
    id: "login",
    group: "account",
    at: "POST /api/login",
    by: "anyone",
    title: "Sign in",
    text: "With `email` or `username`. For scripts use an API token.",
    limit: "sign-in",
    body: loginCallSchema,
    answers: { 200: { text: signedIn, schema: user } },
    refusals: [...refusesTokens, "INVALID_CREDENTIALS", "TOTP_REQUIRED", "INVALID_TOTP", "SIGN_IN_LOCKED"],
    examples: [
      { title: "By email", status: 200, json: { email: EXAMPLE.email, password: EXAMPLE.password } },
      { title: "A wrong password", status: 401, json: { email: EXAMPLE.email, password: "Wrong-horse-77" } },
    ],
    run: async (args) => {
      const { services, origin, body } = args;
      const presentedSessionId = await findSessionId(args);
      return signedInAs(services, await signIn(services, origin, { ...body, presentedSessionId }));
    },
  }),
  endpoint({
    id: "logout",
    group: "account",
    at: "POST /api/logout",
    by: "anyone",
    title: "Sign out",
    text: "Ends the session.",
    answers: { 204: { text: "Signed out." } },
    refusals: refusesTokens,
    examples: [{ title: "Sign out", status: 204 }],
    run: async (args) => {
      const person = await findPerson(args);
      if (person) await signOut(args.services, person);
      return reply(undefined, { headers: { "Set-Cookie": await endSession(args.services) } });
    },
  }),
  endpoint({
    id: "forgotPassword",
    group: "account",
    at: "POST /api/forgot-password",
    by: "anyone",
    title: "Ask for a link to a new password",
    text: "The answer is the same whether or not there is an account.",
    limit: "password-reset",
    namesError: true,
    body: forgotPasswordSchema,
    answers: { 200: { text: "If there is an account, an email is on its way.", schema: empty } },
    examples: [{ title: "By email", status: 200, json: { email: EXAMPLE.email } }],
    run: async ({ services, origin, body }) => {
      await askForPasswordReset(services, origin, body);
      return {};
    },
  }),
  endpoint({
    id: "resetPassword",
    group: "account",
    at: "POST /api/reset-password",
    by: "anyone",
    title: "Set a new password",
    text: "With the token of the emailed link. Ends all of the person's sessions.",
    limit: "password-reset",
    namesError: true,
    body: resetPasswordCallSchema,
    answers: { 200: { text: "The password is changed.", schema: empty } },
    refusals: ["NOT_FOUND", "LINK_EXPIRED", "LINK_USED"],
    examples: [
      { title: "A new password", status: 200, json: { token: EXAMPLE.resetToken, password: EXAMPLE.password } },
    ],
    run: async ({ services, origin, body }) => {
      await resetPassword(services, origin, body);
      return {};
    },
  }),
  endpoint({
    id: "selectOrganization",
    group: "account",
    at: "POST /api/select-organization",
    by: "person",
    title: "Choose an organisation",
    text: "Choose one of the person's `pendingOrganizations` or memberships. The answer starts a new session.",
    body: selectionSchema,
    answers: { 200: { text: signedIn, schema: user } },
    refusals: ["ORGANIZATION_NOT_YOURS"],
    examples: [{ title: "Join", status: 200, json: { organizationId: EXAMPLE.joinableOrganization } }],
    run: async ({ services, person, body }) => signedInAs(services, await selectOrganization(services, person, body)),
  }),
];
export const BILLING_CALLS = [
  endpoint({
    id: "readSubscription",
    group: "billing",
    at: "GET /api/billing/subscription",
    title: "Read the subscription",
    answers: {
      200: { text: "The subscription, or null before there is one, and when the trial ends.", schema: subscription },
    },
    refusals: ["NOT_FOUND"],
    examples: [{ title: "The subscription", status: 200 }],
    run: async ({ services, actor }) => {
      const account = await findAccount(services, actor.organizationId);
      if (!account) throw notFound();
      const { status, currentPeriodEnd, trialEndsAt } = account;
      const cancelAtPeriodEnd = account.cancelAtPeriodEnd ?? false;
      return { success: true, subscription: status && { status, currentPeriodEnd, cancelAtPeriodEnd }, trialEndsAt };
    },
  }),
  endpoint({
    id: "createSubscription",
    group: "billing",
    at: "POST /api/billing/create-subscription",
    by: "writer",
    title: "Subscribe",
    text: "Returns the secret that the card provider's form needs to take the first payment; null if nothing is due.",
    body: nothing,
    isBodyOptional: true,
    answers: { 200: { text: "The subscription is waiting for its payment.", schema: subscribing } },
    refusals: ["PAYMENT_UNDER_WAY", "SUBSCRIPTION_CHANGED", "SUBSCRIPTION_ERROR"],
    examples: [{ title: "Subscribe", status: 200, json: {} }],
    run: async ({ services, actor }) => {
      const { status, payment } = await createSubscription(services, actor);
      return { success: true, subscription: { status, clientSecret: payment?.clientSecret ?? null } };
    },
  }),
  endpoint({
    id: "cancelSubscription",
    group: "billing",
    at: "POST /api/billing/cancel-subscription",
    by: "writer",
    title: "Cancel the subscription",
    text: "The subscription stays live until the paid period ends.",
    body: nothing,
    isBodyOptional: true,
    answers: { 200: { text: "Cancelled.", schema: z.object({ success: flag(true) }) } },
    refusals: ["NOTHING_TO_CANCEL", "CANCEL_FAILED"],
    examples: [{ title: "Without a subscription", status: 409, json: {} }],
    run: async ({ services, actor }) => {
      await cancelSubscription(services, actor);
      return { success: true };
    },
  }),
];

const unread = count(2, `How many alerts are unread. Counting stops at ${UNREAD_CAP}.`);

const alert = z.object({
  id: id(EXAMPLE.alert),
  event: text("payment_held"),
  title: text("A payment of $4,200.00 is held"),
  body: text("Wattle Creek Electrical: its bank details changed after the last verification."),
  href: text("/payments/01a1f2b7-9c04-7b11-8c55-9e3a1f60d731", "The page that the alert is about.").nullable(),
  createdAt: instant,
  readAt: instant.nullable(),
});

/** A person's own alerts, as on the page /alerts, and not those of other people in the organisation. */
export const ALERT_CALLS = [
  endpoint({
    id: "listAlerts",
    group: "account",
    at: "GET /api/alerts",
    title: "Your alerts",
    text: "The alerts that you chose to see in the app, newest first.",
    query: { unread: choice("Only unread alerts.", ["true", "false"]), cursor },
    answers: { 200: { text: "Alerts.", schema: z.object({ alerts: z.array(alert), unread, nextCursor }) } },
    examples: [{ title: "Unread alerts", status: 200, query: { unread: "true" } }],
    run: async ({ services, actor, query }) => {
      const [list, unread] = await Promise.all([
        listAlerts(services, actor, { unreadOnly: query.unread === "true", cursor: query.cursor }),
        countUnread(services, actor),
      ]);
      return { alerts: list.alerts, unread, nextCursor: list.next ?? null };
    },
  }),
  endpoint({
    id: "readAlerts",
    group: "account",
    at: "POST /api/alerts/read",
    title: "Mark alerts as read",
    text: "Marks alerts up to and including the newest one that the person was shown, so that no unseen alert is marked.",
    body: z.object({ upTo: idOf("newest alert that was shown", EXAMPLE.alert) }),
    answers: { 200: { text: "How many alerts are still unread.", schema: z.object({ unread }) } },
    examples: [{ title: "All that were shown", status: 200, json: { upTo: EXAMPLE.alert } }],
    run: async ({ services, actor, body }) => {
      await readAllAlerts(services, actor, body.upTo);
      return { unread: await countUnread(services, actor) };
    },
  }),
];
