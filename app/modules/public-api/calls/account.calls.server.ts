import * as z from "zod";
import { forgotPasswordSchema, resetPasswordCallSchema } from "~/modules/accounts/identity/password.server";
import { registrationCallSchema } from "~/modules/accounts/identity/register.server";
import { loginCallSchema } from "~/modules/accounts/identity/sign-in.server";
import { selectionSchema } from "~/modules/accounts/members/switch-organization.server";
import { subscribing, subscription, user } from "../answers/account.answers.server";
import { flag } from "../answers/fields.server";
import type { Call } from "../call";
import { EXAMPLE } from "../example-ids";
import { nothing } from "./parameters.server";

const empty = z.object({});
const signedIn = "The person; the answer's cookie is their session.";

export const ACCOUNT_CALLS: readonly Call[] = [
  {
    id: "readUser",
    group: "account",
    method: "GET",
    path: "user",
    title: "Who am I",
    text: "Also with an API token: the person who made it.",
    answers: [{ status: 200, text: "The person.", schema: user }],
    examples: [{ title: "The person", status: 200 }],
  },
  {
    id: "register",
    group: "account",
    method: "POST",
    path: "register",
    title: "Register",
    text: "With a new organisation, or asking to join one. Both spellings of `organisationId` and `newOrganisation` are understood.",
    isOpen: true,
    limit: "registration",
    body: { json: registrationCallSchema },
    answers: [{ status: 201, text: signedIn, schema: user }],
    refusals: ["EMAIL_EXISTS"],
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
  },
  {
    id: "login",
    group: "account",
    method: "POST",
    path: "login",
    title: "Sign in",
    text: "With `email` or `username`. For scripts use an API token.",
    isOpen: true,
    limit: "sign-in",
    body: { json: loginCallSchema },
    answers: [{ status: 200, text: signedIn, schema: user }],
    refusals: ["INVALID_CREDENTIALS", "TOTP_REQUIRED", "INVALID_TOTP", "SIGN_IN_LOCKED"],
    examples: [
      { title: "By email", status: 200, json: { email: EXAMPLE.email, password: EXAMPLE.password } },
      { title: "A wrong password", status: 401, json: { email: EXAMPLE.email, password: "Wrong-horse-77" } },
    ],
  },
  {
    id: "logout",
    group: "account",
    method: "POST",
    path: "logout",
    title: "Sign out",
    text: "Ends the session itself.",
    isOpen: true,
    answers: [{ status: 204, text: "Signed out." }],
    examples: [{ title: "Sign out", status: 204 }],
  },
  {
    id: "forgotPassword",
    group: "account",
    method: "POST",
    path: "forgot-password",
    title: "Ask for a link to a new password",
    text: "The answer is the same whether or not there is an account.",
    isOpen: true,
    limit: "password-reset",
    body: { json: forgotPasswordSchema },
    answers: [{ status: 200, text: "If there is an account, an email is on its way.", schema: empty }],
    examples: [{ title: "By email", status: 200, json: { email: EXAMPLE.email } }],
  },
  {
    id: "resetPassword",
    group: "account",
    method: "POST",
    path: "reset-password",
    title: "Set a new password",
    text: "With the token of the emailed link. Ends all of the person's sessions.",
    isOpen: true,
    limit: "password-reset",
    body: { json: resetPasswordCallSchema },
    answers: [{ status: 200, text: "The password is changed.", schema: empty }],
    refusals: ["NOT_FOUND", "LINK_EXPIRED", "LINK_USED"],
    examples: [
      { title: "A new password", status: 200, json: { token: EXAMPLE.resetToken, password: EXAMPLE.password } },
    ],
  },
  {
    id: "selectOrganization",
    group: "account",
    method: "POST",
    path: "select-organization",
    title: "Choose an organisation",
    text: "One of the person's own `pendingOrganizations` or memberships. The session is a new one.",
    body: { json: selectionSchema },
    answers: [{ status: 200, text: signedIn, schema: user }],
    refusals: ["ORGANIZATION_NOT_YOURS"],
    examples: [{ title: "Join", status: 200, json: { organizationId: EXAMPLE.joinableOrganization } }],
  },
];

export const BILLING_CALLS: readonly Call[] = [
  {
    id: "readSubscription",
    group: "billing",
    method: "GET",
    path: "billing/subscription",
    title: "Read the subscription",
    answers: [
      {
        status: 200,
        text: "The subscription, or null before there is one, and when the trial ends.",
        schema: subscription,
      },
    ],
    refusals: ["NOT_FOUND"],
    examples: [{ title: "The subscription", status: 200 }],
  },
  {
    id: "createSubscription",
    group: "billing",
    method: "POST",
    path: "billing/create-subscription",
    title: "Subscribe",
    text: "Answers a secret with which the card provider's form takes the first payment; none where nothing is to be paid.",
    body: { json: nothing, isOptional: true },
    answers: [{ status: 200, text: "The subscription waits for its payment.", schema: subscribing }],
    refusals: ["PAYMENT_UNDER_WAY", "SUBSCRIPTION_ERROR"],
    examples: [{ title: "Subscribe", status: 200, json: {} }],
  },
  {
    id: "cancelSubscription",
    group: "billing",
    method: "POST",
    path: "billing/cancel-subscription",
    title: "Cancel the subscription",
    text: "It stays live until the paid period ends.",
    body: { json: nothing, isOptional: true },
    answers: [{ status: 200, text: "Cancelled.", schema: z.object({ success: flag(true) }) }],
    refusals: ["NOTHING_TO_CANCEL", "CANCEL_FAILED"],
    examples: [{ title: "Without a subscription", status: 409, json: {} }],
  },
];
