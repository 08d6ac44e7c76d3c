import { connectorName } from "./connectors";
import type { Account, BasiqState, Connection, Consent, Event, Identity, Job, User } from "./state";

const CONSENT_MS = 365 * 24 * 60 * 60 * 1000;
const STEPS = ["verify-credentials", "retrieve-accounts", "retrieve-transactions"];

/** What the product asks a payee for, as the provider's consent lists it: never transactions. */
const PERMISSIONS = [
  ["account.basic", "account", "Account name, type and balance", ["Name of account", "Type of account"]],
  ["account.detail", "account", "Account numbers and features", ["Account number"]],
  ["customer.person.basic", "connection", "Name and occupation", ["Name"]],
  ["customer.organisation.basic", "connection", "Organisation profile", ["Organisation name", "ABN"]],
] as const;

/** Rows as the provider's documents write them (tests/conformance/basiq). `base` is the address of the simulated API. */
export const createWire = (base: string, state: BasiqState) => ({
  ...userWire(base, state),
  ...bankWire(base, state),
  ...accessWire(base),
});

export type Wire = ReturnType<typeof createWire>;

const iso = (at: number) => new Date(at).toISOString();
const userUrlOn = (base: string) => (userId: string) => `${base}/users/${userId}`;

function userWire(base: string, state: BasiqState) {
  const userUrl = userUrlOn(base);
  const fields = ({ id, createdAt: _, email = "", mobile = "", ...given }: User) => ({
    type: "user",
    id,
    email,
    mobile,
    ...given,
  });
  const listOf = (type: string, rows: readonly { id: string; userId: string }[], userId: string) => {
    const own = rows.filter((row) => row.userId === userId);
    const data = own.map(({ id }) => ({ type, id, links: { self: `${userUrl(userId)}/${type}s/${id}` } }));
    return { type: "list", count: data.length, data };
  };
  return {
    /** The answer when it is created or changed. */
    newUser: (user: User) => ({ ...fields(user), links: { self: userUrl(user.id) } }),
    user(user: User) {
      const self = userUrl(user.id);
      const { firstName = "", middleName = "", lastName = "", ...rest } = fields(user);
      return {
        ...rest,
        name: [firstName, lastName].filter(Boolean).join(" "),
        firstName,
        middleName,
        lastName,
        connections: listOf("connection", state.connections, user.id),
        accounts: listOf("account", state.accounts, user.id),
        links: {
          accounts: `${self}/accounts`,
          connections: `${self}/connections`,
          self,
          transactions: `${self}/transactions`,
        },
      };
    },
  };
}

/** What the bank gives: connections, jobs, accounts and identities. */
function bankWire(base: string, state: BasiqState) {
  const connectionOf = (connectionId: string) => state.connections.find(({ id }) => id === connectionId);
  const bank: BankOf = {
    userUrl: userUrlOn(base),
    institutionOf: (connectionId) => connectionOf(connectionId)?.institutionId ?? "",
    openedAt: (connectionId) => iso(connectionOf(connectionId)?.createdAt ?? 0),
  };
  return { ...connectionWire(base, bank), ...jobWire(base, bank), ...accountWire(bank) };
}

type BankOf = {
  userUrl: (userId: string) => string;
  institutionOf: (connectionId: string) => string;
  openedAt: (connectionId: string) => string;
};

function connectionWire(base: string, { userUrl }: BankOf) {
  const fieldsOf = ({ id, institutionId, status, createdAt }: Connection) => ({
    type: "connection",
    id,
    method: "openbanking",
    status,
    createdDate: iso(createdAt),
    expiryDate: iso(createdAt + CONSENT_MS),
    lastUsed: iso(createdAt),
    institution: { id: institutionId, type: "institution", links: { self: `${base}/institutions/${institutionId}` } },
  });
  const linksOf = ({ id, userId, institutionId }: Connection) => ({
    accounts: `${userUrl(userId)}/accounts?filter=institution.id.eq('${institutionId}')`,
    self: `${userUrl(userId)}/connections/${id}`,
    transactions: `${userUrl(userId)}/transactions?filter=institution.id.eq('${institutionId}')`,
  });
  return {
    connection: (row: Connection) => ({
      ...fieldsOf(row),
      links: { ...linksOf(row), institution: `${base}/institutions/${row.institutionId}` },
    }),
    /** A single object names its owner. */
    oneConnection: (row: Connection) => ({
      ...fieldsOf(row),
      links: { ...linksOf(row), user: userUrl(row.userId) },
    }),
  };
}

function jobWire(base: string, { userUrl, institutionOf }: BankOf) {
  const linksOf = ({ id, userId, connectionId }: Job) => ({
    self: `${base}/jobs/${id}`,
    source: `${userUrl(userId)}/connections/${connectionId}`,
  });
  const fieldsOf = (job: Job) => ({
    type: "job",
    id: job.id,
    created: iso(job.createdAt),
    updated: iso(job.updatedAt),
    steps: STEPS.map((title) => toStep(title, job, institutionOf(job.connectionId))),
    links: linksOf(job),
  });
  return {
    /** In a list it names its institution; on its own it names its kind. */
    listedJob: (job: Job) => ({
      ...fieldsOf(job),
      institution: { id: institutionOf(job.connectionId), type: "institution", links: linksOf(job) },
    }),
    job: (job: Job) => ({ ...fieldsOf(job), jobType: "connection" }),
  };
}

/** Unknown details of an identity are empty strings. */
const NO_PERSON = {
  firstName: "",
  lastName: "",
  middleName: "",
  title: "",
  DOB: "",
  occupationCode: "",
  occupationCodeVersion: "",
  phoneNumbers: [],
  emailAddresses: [],
  physicalAddresses: [],
};
const NO_ORGANISATION = {
  agentFirstName: "",
  agentLastName: "",
  agentRole: "",
  businessName: "",
  legalName: "",
  shortName: "",
  abn: "",
  acn: "",
  isACNCRegistered: false,
  industryCode: "",
  industryCodeVersion: "",
  organisationType: "",
  registeredCountry: "",
};

function accountWire({ userUrl, institutionOf, openedAt }: BankOf) {
  return {
    account: ({ id, userId: _, connectionId, ...facts }: Account) => ({
      type: "account",
      id,
      ...facts,
      currency: "AUD",
      balance: null,
      availableFunds: null,
      creditLimit: null,
      connection: connectionId,
      institution: institutionOf(connectionId),
      lastUpdated: openedAt(connectionId),
      transactionIntervals: [],
    }),

    identity: ({ id, userId, connectionId, fullName, organisation }: Identity) => ({
      type: "identity",
      id,
      created: openedAt(connectionId),
      updated: openedAt(connectionId),
      source: "openbanking",
      connectionID: connectionId,
      institutionID: institutionOf(connectionId),
      ...NO_PERSON,
      fullName: fullName ?? "",
      organisation: { ...NO_ORGANISATION, ...organisation, abn: organisation?.abn ?? "" },
      links: {
        self: `${userUrl(userId)}/identities/${id}`,
        job: `${userUrl(userId)}/connections/${connectionId}`,
      },
    }),
  };
}

/** What the provider keeps about access: consents and events. */
function accessWire(base: string) {
  const userUrl = userUrlOn(base);
  return {
    consent: ({ id, userId, status, createdAt, updatedAt }: Consent) => ({
      type: "consent",
      id,
      created: iso(createdAt),
      updated: iso(updatedAt),
      expiryDate: iso(createdAt + CONSENT_MS),
      origin: "user",
      status,
      purpose: {
        primary: { title: "Confirm your bank details", description: "So that you are paid into your own account" },
        other: null,
      },
      data: {
        retainData: false,
        initialRetrievalDays: 0,
        organisation: null,
        permissions: PERMISSIONS.map(([scope, entity, name, attributeList]) => ({
          scope,
          required: true,
          consented: true,
          entity,
          information: { name, description: name, attributeList },
          purpose: { title: name, description: name },
        })),
      },
      ...(status === "revoked" && { revoked: iso(updatedAt) }),
      links: {
        self: `${userUrl(userId)}/consents/${id}`,
        consentPolicy: `${base}/policies/local`,
        latestConsentPolicy: `${base}/policies/local`,
      },
    }),

    /** What it is about and what happened are two words here, and one in a webhook. */
    event({ id, eventType, userId, entityPath, createdAt, data = {} }: Event) {
      const [entity, happened] = eventType.split(".");
      return {
        type: "event",
        id,
        createdDate: iso(createdAt),
        entity,
        eventType: happened,
        userId,
        dataRef: base + entityPath,
        data,
        links: { self: `${base}/events/${id}` },
      };
    },
  };
}

/** Before the end all steps are pending, then the first is in progress; a failed step leaves those after it pending. */
function toStep(title: string, job: Job, institutionId: string) {
  const { ending, finishedAt, polls } = job;
  if (finishedAt === null) {
    return { title, status: title === STEPS[0] && polls > 1 ? "in-progress" : "pending", result: null };
  }
  if (ending.kind === "failure") {
    const { step, code, title: reason, detail } = ending;
    if (title === step) return { title, status: "failed", result: { code, title: reason, detail } };
    if (STEPS.indexOf(title) > STEPS.indexOf(step)) return { title, status: "pending", result: null };
  }
  return { title, status: "success", result: { type: "link", url: whatCameOf(title, job, institutionId) } };
}

function whatCameOf(title: string, { userId, connectionId }: Job, institutionId: string): string {
  const user = `/users/${userId}`;
  if (title === "verify-credentials") return `${user}/connections/${connectionId}`;
  const things = title === "retrieve-accounts" ? "accounts" : "transactions";
  return `${user}/${things}?filter=institution.id.eq('${institutionId}')`;
}

/** A bank that a payee can choose, as the list of connectors has it. */
export function writeConnector({ id, name, tier = "1" }: { id: string; name: string; tier?: string }, base: string) {
  const shortName = connectorName(id) ?? name;
  return {
    type: "connector",
    id,
    method: "openbanking",
    stage: "live",
    status: "operational",
    institution: {
      type: "Bank",
      name,
      shortName,
      tier,
      country: "Australia",
      logo: {
        type: "image",
        colors: { primary: "#333333" },
        links: { full: `${base}/logos/${id}-full.svg`, square: `${base}/logos/${id}.svg` },
      },
    },
    scopes: ["account.basic", "account.detail", "customer.person.basic", "customer.organisation.basic"],
    authorization: { type: "token", meta: {} },
    stats: { averageDurationMs: { verifyCredentials: 1_000, retrieveAccounts: 1_000, total: 2_000 } },
    links: { self: `${base}/connectors/${id}/openbanking` },
  };
}
