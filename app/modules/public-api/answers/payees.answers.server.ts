import * as z from "zod";
import { NOTICE_DELAYS, NOTICE_FAILURES, NOTICE_SUBJECTS, NOTIFICATION_CHANNELS } from "~/kernel/enums";
import type { PayeeStatus } from "~/kernel/payee";
import type { ContactsTold } from "~/modules/messages/notifications/notice-rules";
import type { toChangeJson, toPayeeJson } from "~/modules/payees/payee.json";
import type { toRequestJson } from "~/modules/payees/payee-requests/payee-request.json";
import { EXAMPLE } from "../example-ids";
import {
  accountName,
  accountNumber,
  bsb,
  count,
  describes,
  flag,
  grade,
  id,
  instant,
  maskedAccountNumber,
  text,
} from "./fields.server";

const STATUSES = [
  "whitelisted",
  "verified",
  "pending",
  "changed",
  "disputed",
  "rejected",
  "failed",
  "taken_off",
] as const satisfies readonly PayeeStatus[];

export const payeeStatus = z.enum(STATUSES).meta({ description: "How far the payee is trusted now." });

export const payee = describes<ReturnType<typeof toPayeeJson>>()(
  z.object({
    id: id(EXAMPLE.payee),
    name: text("Wattle Creek Electrical"),
    accountName,
    bsb,
    accountNumber,
    institution: text("Commonwealth Bank of Australia").nullable(),
    abn: text("51824753556").nullable(),
    email: text("accounts@wattlecreek.example").nullable(),
    phone: text("+61293744000", "E.164.").nullable(),
    address: text("12 Creek Road, Newtown NSW 2042").nullable(),
    status: payeeStatus,
    grade,
    paymentCount: count(3, "Successful payments."),
    lastPaymentDate: instant.nullable(),
    whitelisted: flag(true),
    whitelistedAt: instant.nullable(),
    whitelistedById: id(EXAMPLE.person).nullable(),
    whitelistedReason: text("Called the number in the contract").nullable(),
    whitelistGlobal: flag(false, "Other organisations may learn that this one trusts the account."),
    version: count(1, "Rises with every edit. Send it with an edit to be told when another one came first."),
    bankDetailsChangedAt: instant.nullable(),
    renamedAt: instant
      .nullable()
      .meta({ description: "When it was last given another name, which ends its trust like new bank details." }),
    contactChangedAt: instant.nullable(),
    disputedAt: instant.nullable(),
    draftSince: instant
      .nullable()
      .meta({ description: "When the payee sent its details itself, until a person accepts it." }),
    createdAt: instant,
    updatedAt: instant,
  }),
);

export const listedPayee = z.object({ ...payee.shape, accountNumber: maskedAccountNumber });

export const payeeChange = describes<ReturnType<typeof toChangeJson>>()(
  z.object({
    id: id(EXAMPLE.entry),
    field: text("accountNumber"),
    oldValue: text("•••••678").nullable(),
    newValue: text("•••••345").nullable(),
    changedBy: text("Mira Okafor").nullable().meta({ description: "Null: PayeeProof itself." }),
    createdAt: instant,
  }),
);

/** `formerContact` of several answers. */
export const contactsTold = describes<ContactsTold>()(
  z
    .object({
      state: z.enum(["told", "not_told_yet", "not_told"]).meta({
        description:
          "The worst of all contacts. `told`: the provider has taken every message. `not_told_yet`: one waits or is tried again. `not_told`: one could not be sent, or there was nobody to tell.",
      }),
      message: text("The former contact was NOT told yet: the message is on its way."),
      contacts: z.array(
        z.object({
          channel: z.enum(NOTIFICATION_CHANNELS),
          address: text("accounts@wattlecreek.example", "An email address, or a number in E.164."),
          changed: z.enum(NOTICE_SUBJECTS).meta({ description: "What the contact is told of." }),
          state: z.enum(["told", "not_told_yet", "not_told"]),
          reason: z
            .object({
              code: z
                .enum([...NOTICE_DELAYS, ...NOTICE_FAILURES])
                .nullable()
                .meta({
                  description:
                    "Null: on its way, or collected with later changes of the day. The first four pass and the notice is tried again for 30 days; the others are final.",
                }),
              message: text("the message is on its way"),
            })
            .nullable(),
          toldAt: instant.nullable().meta({ description: "When the provider took the message." }),
        }),
      ),
    })
    .meta({
      description:
        "Whether whoever was the payee's contact before its last change was told of it. Null: neither bank details nor a contact were ever changed.",
    }),
);

export const payeeRequest = describes<ReturnType<typeof toRequestJson>>()(
  z.object({
    id: id(EXAMPLE.payeeRequest),
    name: text("Tallowwood Timber"),
    email: text("accounts@tallowwood.example").nullable(),
    phone: text("+61412345678", "E.164.").nullable(),
    note: text("Order 1042", "What it is about; the payee reads it.").nullable(),
    channel: z.enum(NOTIFICATION_CHANNELS).meta({ description: "How the newest link was sent." }),
    status: z
      .enum(["open", "answered", "cancelled", "expired"])
      .meta({ description: "An expired one can be sent again on its page." }),
    payeeId: id(EXAMPLE.payee).nullable().meta({ description: "The draft payee, once the payee has answered." }),
    verificationId: id(EXAMPLE.verification).nullable().meta({ description: "The verification of the draft." }),
    isDuplicate: flag(false, "The account was a payee's already: payeeId names it, and no draft was made."),
    sentAt: instant,
    expiresAt: instant,
    createdAt: instant,
    closedAt: instant.nullable(),
  }),
);
