import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "~/kernel/dates";
import { NOTICE_SUBJECTS } from "~/kernel/enums";
import {
  COLLECTED_FOR_MS,
  type EarlierNotice,
  gradeNotice,
  lookAgainAt,
  NOTICES_AT_ONCE,
  type NoticeCounts,
  type NoticeRow,
  noticeDelay,
  noticeLimits,
  noticesOfLastChange,
  planNotice,
  toContactsTold,
  toContactsToldView,
  undecidedNotices,
} from "./notice-rules";

const NOW = Date.UTC(2026, 10, 23, 3, 0);
const TRIAL = { firstPaidAt: null };
const CUSTOMER = { firstPaidAt: NOW - DAY_MS };

const counts = (over: Partial<NoticeCounts> = {}): NoticeCounts => ({
  isSenderConfirmed: true,
  byOrganization: 0,
  toAddress: 0,
  toAddressByAll: 0,
  ...over,
});

describe("the quota of notices", () => {
  test.each([
    ["nothing was sent", TRIAL, "first", counts(), undefined],
    [
      "no administrator has confirmed an address",
      TRIAL,
      "first",
      counts({ isSenderConfirmed: false }),
      "sender_unconfirmed",
    ],
    ["a trial has sent 199", TRIAL, "first", counts({ byOrganization: 199 }), undefined],
    ["a trial has sent 200", TRIAL, "first", counts({ byOrganization: 200 }), "sender_limit"],
    ["a customer has sent 1,999", CUSTOMER, "first", counts({ byOrganization: 1_999 }), undefined],
    ["a customer has sent 2,000", CUSTOMER, "first", counts({ byOrganization: 2_000 }), "sender_limit"],
    ["another notice, when 99 were sent", TRIAL, "other", counts({ byOrganization: 99 }), undefined],
    ["another notice has half of the quota", TRIAL, "other", counts({ byOrganization: 100 }), "sender_limit"],
    ["19 to the address", TRIAL, "first", counts({ toAddress: 19, toAddressByAll: 19 }), undefined],
    ["20 to the address", TRIAL, "first", counts({ toAddress: 20, toAddressByAll: 20 }), "recipient_limit"],
    [
      "a replaced contact, when a trial has sent 149",
      TRIAL,
      "first_contact",
      counts({ byOrganization: 149 }),
      undefined,
    ],
    ["a replaced contact leaves a quarter", TRIAL, "first_contact", counts({ byOrganization: 150 }), "sender_limit"],
    ["a replaced contact, 14 to the address", TRIAL, "first_contact", counts({ toAddress: 14 }), undefined],
    ["a replaced contact, 15 to the address", TRIAL, "first_contact", counts({ toAddress: 15 }), "recipient_limit"],
    ["a replaced contact, 99 by others", TRIAL, "first_contact", counts({ toAddressByAll: 99 }), undefined],
    ["another, 9 to the address", TRIAL, "other", counts({ toAddress: 9, toAddressByAll: 9 }), undefined],
    ["another, 10 to the address", TRIAL, "other", counts({ toAddress: 10, toAddressByAll: 10 }), "recipient_limit"],
    ["1,000 by other organisations to the address", TRIAL, "first", counts({ toAddressByAll: 1_000 }), undefined],
    ["another, 29 by all to the address", TRIAL, "other", counts({ toAddressByAll: 29 }), undefined],
    ["another, 30 by all to the address", TRIAL, "other", counts({ toAddressByAll: 30 }), "recipient_limit"],
  ] as const)("%s", (_case, sender, grade, sent, expected) => {
    expect(noticeDelay(sent, noticeLimits(sender, grade))).toBe(expected);
  });

  test("whatever other notices were sent, the first about a trusted payee still has half of every quota", () => {
    for (const sender of [TRIAL, CUSTOMER]) {
      const others = noticeLimits(sender, "other");
      const used = counts({
        byOrganization: others.byOrganization,
        toAddress: others.toAddress,
        toAddressByAll: others.toAddressByAll ?? 0,
      });
      expect(noticeDelay(used, others)).toBe("sender_limit");
      expect(noticeDelay(used, noticeLimits(sender, "first"))).toBeUndefined();
    }
  });
});

const earlier = (over: Partial<EarlierNotice> = {}): EarlierNotice => ({
  id: "n1",
  subject: "bank_details",
  status: "told",
  dueAt: NOW - HOUR_MS,
  startedAt: NOW - HOUR_MS,
  createdAt: NOW - HOUR_MS,
  ...over,
});
const told = (count: number, over: Partial<EarlierNotice> = {}) =>
  Array.from({ length: count }, (_, index) => earlier({ id: `n${index}`, ...over }));

describe("several changes of one payee to one contact", () => {
  const atOnce = { dueAt: NOW };
  test.each<[string, EarlierNotice[], "contact" | "bank_details", object]>([
    ["the first ever goes out at once", [], "bank_details", atOnce],
    ["the second and the third do too", told(2), "bank_details", atOnce],
    ["the fourth is collected", told(3), "bank_details", { dueAt: NOW - HOUR_MS + COLLECTED_FOR_MS }],
    [
      "the fifth goes out with the fourth",
      [...told(3), earlier({ id: "later", status: "waiting", startedAt: null, dueAt: NOW + HOUR_MS })],
      "bank_details",
      { mergedInto: "later" },
    ],
    [
      "the first of the next day goes out at once",
      told(9, { createdAt: NOW - DAY_MS, startedAt: NOW - DAY_MS }),
      "bank_details",
      atOnce,
    ],
    [
      "changed contacts first: the bank details go out at once",
      told(9, { subject: "contact" }),
      "bank_details",
      atOnce,
    ],
    [
      "changed contacts that wait to be collected: the bank details do not wait with them",
      [
        ...told(3, { subject: "contact" }),
        earlier({ id: "later", subject: "contact", status: "waiting", startedAt: null, dueAt: NOW + HOUR_MS }),
      ],
      "bank_details",
      atOnce,
    ],
    [
      "a message about a contact that a limit holds up: the bank details do not wait with it",
      [earlier({ id: "held", subject: "contact", status: "waiting", startedAt: null })],
      "bank_details",
      atOnce,
    ],
    [
      "changed bank details are collected from their own last message on",
      [...told(3), earlier({ subject: "contact", dueAt: NOW, startedAt: NOW, createdAt: NOW })],
      "bank_details",
      { dueAt: NOW - HOUR_MS + COLLECTED_FOR_MS },
    ],
    [
      "a contact changed after three changes of bank details is collected",
      told(3),
      "contact",
      { dueAt: NOW - HOUR_MS + COLLECTED_FOR_MS },
    ],
    [
      "one that a limit holds up tells of the next change too",
      [earlier({ id: "held", status: "waiting", startedAt: null })],
      "bank_details",
      { mergedInto: "held" },
    ],
    [
      "one that a limit holds up since yesterday does too",
      [earlier({ id: "held", status: "waiting", startedAt: null, createdAt: NOW - 2 * DAY_MS })],
      "bank_details",
      { mergedInto: "held" },
    ],
    [
      "one that is handed to the provider says what it says: the next goes out by itself",
      [earlier({ status: "waiting" })],
      "bank_details",
      atOnce,
    ],
    [
      "collected ones are due at once when the last was long ago",
      told(3, { startedAt: NOW - 7 * HOUR_MS, dueAt: NOW - 7 * HOUR_MS, createdAt: NOW - 7 * HOUR_MS }),
      "bank_details",
      { dueAt: NOW },
    ],
  ])("%s", (_case, before, subject, expected) => {
    expect(planNotice(before, subject, NOW)).toEqual(expected);
  });

  /** Simulates edits at these times, with each notice sent as soon as it is due. */
  function runDay(edits: readonly number[]): { sentAt: number[]; toldWithin: number[] } {
    const notices: EarlierNotice[] = [];
    const tellers: string[] = [];
    const send = (now: number) => {
      for (const notice of notices) {
        if (notice.startedAt === null && notice.dueAt <= now)
          Object.assign(notice, { startedAt: notice.dueAt, status: "told" });
      }
    };
    for (const at of edits) {
      send(at);
      const plan = planNotice(
        notices.filter(({ createdAt, status }) => createdAt > at - DAY_MS || status === "waiting"),
        "bank_details",
        at,
      );
      if ("mergedInto" in plan) tellers.push(plan.mergedInto);
      else {
        const id = `n${notices.length}`;
        notices.push({
          id,
          subject: "bank_details",
          status: "waiting",
          dueAt: plan.dueAt,
          startedAt: null,
          createdAt: at,
        });
        tellers.push(id);
        send(at);
      }
    }
    send(Number.POSITIVE_INFINITY);
    const sentAt = notices.map(({ startedAt }) => startedAt ?? Number.NaN);
    const toldWithin = edits.map((at, index) => {
      const teller = notices.find(({ id }) => id === tellers[index]);
      return (teller?.startedAt ?? Number.NaN) - at;
    });
    return { sentAt, toldWithin };
  }

  test("a hundred edits in a day are seven messages at most, and every one of them is told within six hours", () => {
    const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
    fc.assert(
      fc.property(fc.array(minute, { minLength: 1, maxLength: 100 }), (minutes) => {
        const edits = minutes.map((at) => NOW + at * MINUTE_MS).sort((a, b) => a - b);
        const { sentAt, toldWithin } = runDay(edits);
        expect(sentAt.filter((at) => at < NOW + DAY_MS).length).toBeLessThanOrEqual(NOTICES_AT_ONCE + 4);
        expect(toldWithin[0]).toBe(0);
        for (const waited of toldWithin) {
          expect(waited).toBeGreaterThanOrEqual(0);
          expect(waited).toBeLessThanOrEqual(COLLECTED_FOR_MS);
        }
      }),
    );
  });
});

test.each([
  ["nothing before", [], "bank_details", "first"],
  ["bank details today", told(1), "bank_details", "other"],
  ["bank details yesterday", told(1, { startedAt: NOW - DAY_MS }), "bank_details", "first"],
  ["bank details that were never sent", told(1, { startedAt: null, status: "waiting" }), "bank_details", "first"],
  ["a contact today, now the bank details", told(9, { subject: "contact" }), "bank_details", "first"],
  ["bank details today, now a contact", told(1), "contact", "first_contact"],
  ["a contact today, and another", told(1, { subject: "contact" }), "contact", "other"],
] as const)("the day's first notice: %s", (_case, before, subject, expected) => {
  expect(gradeNotice(before, { subject, isTrusted: true }, NOW)).toBe(expected);
  expect(gradeNotice(before, { subject, isTrusted: false }, NOW)).toBe("other");
});

test("what a limit holds up is looked at within a minute at first, and at least every six hours for thirty days", () => {
  expect(lookAgainAt(NOW, NOW)).toBe(NOW + MINUTE_MS);
  expect(lookAgainAt(NOW - HOUR_MS, NOW)).toBe(NOW + 15 * MINUTE_MS);
  expect(lookAgainAt(NOW - 29 * DAY_MS, NOW)).toBe(NOW + 6 * HOUR_MS);
  // The database accepts only whole milliseconds.
  for (const ms of [1, 2, 3]) expect(lookAgainAt(NOW - HOUR_MS - ms, NOW)).toBe(NOW + 15 * MINUTE_MS + 1);
});

const aRow = (over: Partial<NoticeRow> = {}): NoticeRow => ({
  id: "n1",
  verificationId: "v1",
  subject: "bank_details",
  channel: "email",
  recipient: "accounts@real.example",
  status: "told",
  problem: null,
  dueAt: NOW,
  endedAt: NOW,
  createdAt: NOW,
  ...over,
});
const waiting = (over: Partial<NoticeRow> = {}) => aRow({ status: "waiting", endedAt: null, ...over });
const failed = (problem: NoticeRow["problem"], over: Partial<NoticeRow> = {}) =>
  aRow({ status: "not_told", problem, ...over });
const text = (over: Partial<NoticeRow> = {}) => ({
  id: "n2",
  channel: "sms" as const,
  recipient: "+61412345678",
  ...over,
});
const ZONE = { timeZone: "Australia/Sydney", now: NOW };
const NOT_ON_FILE = { email: null, phone: null };

test.each<[string, NoticeRow[], string, string, string[], string?]>([
  [
    "told",
    [aRow()],
    "told",
    "The former contact was told",
    ["accounts@real.example, by email: told on 23 Nov 2026, 2:00 pm."],
  ],
  [
    "on its way",
    [waiting()],
    "not_told_yet",
    "The former contact was NOT told yet",
    ["accounts@real.example, by email: NOT told yet: the message is on its way."],
    "The former contact was NOT told yet: the message is on its way",
  ],
  [
    "held up by the quota",
    [waiting({ problem: "sender_limit" })],
    "not_told_yet",
    "The former contact was NOT told yet",
    [
      "accounts@real.example, by email: NOT told yet: the organisation has sent as many notices of changes as it can in 24 hours. We keep trying.",
    ],
    "The former contact was NOT told yet: the organisation has sent as many notices of changes as it can in 24 hours",
  ],
  [
    "collected",
    [waiting({ dueAt: NOW + HOUR_MS })],
    "not_told_yet",
    "The former contact was NOT told yet",
    [
      "accounts@real.example, by email: NOT told yet: today's changes are collected for one more message. It goes out on 23 Nov 2026, 3:00 pm.",
    ],
    "The former contact was NOT told yet: today's changes are collected for one more message",
  ],
  [
    "bounced",
    [failed("bounced")],
    "not_told",
    "The former contact was NOT told",
    ["accounts@real.example, by email: NOT told: the mailbox did not accept the email."],
    "The former contact was NOT told: the mailbox did not accept the email",
  ],
  [
    "the email arrived, the text message did not",
    [aRow(), failed("not_delivered", text())],
    "not_told",
    "The former contact was NOT told at every address",
    [
      "accounts@real.example, by email: told on 23 Nov 2026, 2:00 pm.",
      "0412 345 678, by text message: NOT told: the message did not arrive.",
    ],
    "The former contact was NOT told at every address: the message did not arrive",
  ],
  [
    "the email is told, the text message waits",
    [aRow(), waiting(text())],
    "not_told_yet",
    "The former contact was NOT told yet at every address",
    [
      "accounts@real.example, by email: told on 23 Nov 2026, 2:00 pm.",
      "0412 345 678, by text message: NOT told yet: the message is on its way.",
    ],
    "The former contact was NOT told yet at every address: the message is on its way",
  ],
  [
    "nobody on file",
    [failed("no_contact", { channel: null, recipient: null })],
    "not_told",
    "The former contact was NOT told: there was no email address or mobile number on file",
    [],
  ],
])("%s is said so", (_case, rows, state, title, lines, sentence = title) => {
  const view = toContactsToldView(rows, ZONE, NOT_ON_FILE);
  expect(view).toMatchObject({ state, title });
  expect(view?.lines.map(({ text: line }) => line)).toEqual(lines);
  expect(toContactsTold(rows, NOW)).toMatchObject({ state, message: `${sentence}.` });
});

test("beside a former contact the one on file now is marked, because whoever changed it reads it", () => {
  const rows = ["old@karri.example", "new@karri.example"].map((recipient) => aRow({ id: recipient, recipient }));
  const said = (email: string | null, notices = rows) =>
    toContactsToldView(notices, ZONE, { email, phone: null })?.lines.map(({ text }) => text.split(" by email")[0]);
  expect(said("new@karri.example")).toEqual(["old@karri.example,", "new@karri.example (on file now),"]);
  expect(said(null)).toEqual(["old@karri.example,", "new@karri.example,"]);
  expect(said("old@karri.example", rows.slice(0, 1))).toEqual(["old@karri.example,"]);
});

test("nothing is ever said to be told that no provider has taken", () => {
  const row = fc.record({
    status: fc.constantFrom("waiting" as const, "not_told" as const),
    problem: fc.constantFrom(null, "provider" as const, "bounced" as const),
    subject: fc.constantFrom(...NOTICE_SUBJECTS),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
      const notices = rows.map((each, index) => aRow({ ...each, id: `n${index}` }));
      const view = toContactsToldView(notices, ZONE, NOT_ON_FILE);
      expect(view?.state).not.toBe("told");
      expect(view?.title).toContain("NOT told");
      for (const line of view?.lines ?? []) expect(line.text).toContain("NOT told");
    }),
  );
});

test("what counts is the last change of bank details with the contacts changed since, and without one the last contact", () => {
  const rows = [
    aRow({ id: "5-contact", subject: "contact", verificationId: null }),
    aRow({ id: "4-email", verificationId: "v2" }),
    aRow({ id: "3-sms", verificationId: "v2" }),
    aRow({ id: "2-email", verificationId: "v1" }),
    aRow({ id: "1-contact", subject: "contact", verificationId: null }),
  ];
  expect(noticesOfLastChange(rows).map(({ id }) => id)).toEqual(["5-contact", "4-email", "3-sms"]);
  const contacts = [1, 2].map((at) =>
    aRow({ id: `c${at}`, subject: "contact", verificationId: null, createdAt: NOW - at }),
  );
  expect(noticesOfLastChange(contacts).map(({ id }) => id)).toEqual(["c1"]);
  expect(noticesOfLastChange([])).toEqual([]);
});

test.each([
  ["nobody has decided", { pendingId: "v1", decidedAt: null }, ["bank", "contact"]],
  ["decided before the change only", { pendingId: "v1", decidedAt: NOW - 1 }, ["bank", "contact"]],
  ["decided since", { pendingId: null, decidedAt: NOW + 1 }, ["contact"]],
  ["everything decided, and another verification asked for", { pendingId: "v2", decidedAt: NOW + HOUR_MS }, []],
  ["former details put back by a rejection, and waiting", { pendingId: "v1", decidedAt: NOW }, ["bank", "contact"]],
  ["former details put back and trusted", { pendingId: null, decidedAt: NOW }, ["contact"]],
] as const)("a payee's page speaks of who was told until somebody has decided: %s", (_case, decided, shown) => {
  const rows = [
    failed("bounced", { id: "bank" }),
    failed("bounced", { id: "contact", subject: "contact", verificationId: null, createdAt: NOW + 2 }),
  ];
  expect(undecidedNotices(rows, decided).map(({ id }) => id)).toEqual(shown);
});
