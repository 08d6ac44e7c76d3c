import * as z from "zod";
import { SUBSCRIPTION_STATUSES, USER_ROLES, USER_STATUSES } from "~/kernel/enums";
import type { toSubscribingJson, toSubscriptionJson } from "~/modules/accounts/billing/subscription";
import type { UserJson } from "~/modules/accounts/identity/profile.server";
import { EXAMPLE } from "../example-ids";
import { describes, flag, id, instant, text } from "./fields.server";

export const user = describes<UserJson>()(
  z.object({
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
  }),
);

export const organizationName = z.object({ id: id(EXAMPLE.organization), name: text("Harbour Joinery") });

const organizationByDomain = z.object({ ...organizationName.shape, domain: text(EXAMPLE.domain) });

export const organizationLookup = z.union([
  z.object({ organization: organizationByDomain }),
  z.object({ multiple: z.literal(true), organizations: z.array(organizationByDomain) }),
]);

export const subscription = describes<ReturnType<typeof toSubscriptionJson>>()(
  z.object({
    success: z.boolean(),
    subscription: z
      .object({
        status: z.enum(SUBSCRIPTION_STATUSES),
        currentPeriodEnd: instant.nullable(),
        cancelAtPeriodEnd: flag(false),
      })
      .nullable(),
    trialEndsAt: instant.nullable(),
  }),
);

export const subscribing = describes<ReturnType<typeof toSubscribingJson>>()(
  z.object({
    success: z.boolean(),
    subscription: z.object({
      status: z.enum(SUBSCRIPTION_STATUSES),
      clientSecret: text("pi_3Pxample_secret_x", "For the card form of the provider.").nullable(),
    }),
  }),
);
