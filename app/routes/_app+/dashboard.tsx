import { redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ComponentProps } from "react";
import type { NavItem } from "~/components/layout/nav-link";
import { WelcomeCard } from "~/components/records/dashboard/welcome-card";
import { ReportFigures } from "~/components/records/report-figures";
import { Chart } from "~/components/ui/chart";
import { Badge, Button, cx, Icon, type IconName, Link, type Tone, toneText } from "~/components/ui/elements";
import { EmptyState } from "~/components/ui/empty-state";
import { Amount, Card, named } from "~/components/ui/page-parts";
import { asMember, page, requirePerson } from "~/http/page.server";
import { readAhead } from "~/http/read-ahead.server";
import { formatAud } from "~/kernel/money";
import { appPaths } from "~/kernel/paths/app";
import { sitePaths } from "~/kernel/paths/site";
import { capital, formatCount } from "~/kernel/text";
import { payeesHref } from "~/modules/payees/payee-list";
import { paymentsHref } from "~/modules/payments/payment-list";
import { readDashboardPage, showDashboard } from "~/modules/records/dashboard.server";

type DashboardView = ReturnType<typeof showDashboard>["view"];
type InboxItem = DashboardView["inbox"][number];
type SetUpStep = NonNullable<DashboardView["setUp"]>[number];

const STEPS: Record<SetUpStep["id"], { title: string; text: string; to: string }> = {
  email: {
    title: "Confirm your email address",
    text: "Use the link that we sent you. Until then you cannot ask any bank or payee.",
    to: appPaths.profile,
  },
  payee: {
    title: "Verify a payee",
    text: "Enter its BSB, account number and account name. You see at once what is known about the account.",
    to: appPaths.newPayee,
  },
  verification: {
    title: "Decide its verification",
    text: "Ask the payee's bank, or decide on the evidence. An approved payee is whitelisted.",
    to: appPaths.pendingVerifications,
  },
  payment: {
    title: "Record a payment",
    text: "It is authorised, or held with the reasons, before any money leaves.",
    to: appPaths.newPayment,
  },
  person: {
    title: "Invite a second person",
    text: "Then one person can enter bank details and another can approve them.",
    to: appPaths.members,
  },
  two_step: {
    title: "Turn on two-step sign-in",
    text: "A stolen password alone is then not enough.",
    to: appPaths.twoStep,
  },
};

type SetUpProps = { steps: readonly SetUpStep[]; trialDaysLeft: number | null; offersSample: boolean };

/** The set-up steps that are left; those that can be done now are links. */
function SetUpSteps({ steps, trialDaysLeft, offersSample }: SetUpProps) {
  const left = steps.filter(({ isDone }) => !isDone);
  const trial =
    trialDaysLeft === null ? "" : ` ${trialDaysLeft} ${trialDaysLeft === 1 ? "day" : "days"} of the trial left.`;
  return (
    <Card title="Get started" description={`${steps.length - left.length} of ${steps.length} done.${trial}`}>
      <ol className="grid gap-x-8 gap-y-4 @[40rem]/main:grid-cols-2">
        {left.map(({ id, after }) => (
          <li key={id} className="relative text-base">
            {after ? (
              <p className="font-medium text-ink-soft">{STEPS[id].title}</p>
            ) : (
              <Link
                to={STEPS[id].to}
                className="font-medium text-accent-text underline underline-offset-2 after:absolute after:inset-0"
              >
                {STEPS[id].title}
              </Link>
            )}
            <p className="text-ink-soft">
              {STEPS[id].text} {after}
            </p>
          </li>
        ))}
      </ol>
      {offersSample && (
        <p className="mt-3 border-line border-t pt-4 text-base text-ink-soft">
          Not sure where to begin?{" "}
          <Link to={appPaths.sampleData} className="text-accent-text underline underline-offset-2">
            Look around in sample data
          </Link>{" "}
          first: an invented organisation beside yours, which you can remove with one click.
        </p>
      )}
    </Card>
  );
}

/** What waits for a person, most urgent first. */
function Inbox({ items, isNew }: { items: readonly InboxItem[]; isNew: boolean }) {
  if (items.length === 0) {
    if (isNew) return null;
    return (
      <Card>
        <EmptyState icon="checkCircle" mood="done" title="Nothing needs your attention">
          No payment is held, no result waits for review, and no payee disputes its details.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card
      flush
      title="Needs a decision"
      description="Reasons not to pay come first, with the money that is waiting."
      actions={
        <Button to={appPaths.verifications} variant="secondary" size="sm" iconAfter="chevronRight">
          Open the Inbox
        </Button>
      }
    >
      <ol className="divide-y divide-line border-line border-t">
        {items.map((item) => (
          <Item key={item.href} item={item} />
        ))}
      </ol>
    </Card>
  );
}

function Item({ item }: { item: InboxItem }) {
  const { href, title, word, tone, icon, what, who, age, exact, cents } = item;
  return (
    <li className="relative grid gap-x-4 gap-y-1 px-5 py-2 text-base has-[a:hover]:bg-sunken/70 @[18rem]/main:grid-cols-[minmax(0,1fr)_fit-content(60%)] @[40rem]/main:gap-x-6 @[40rem]/main:grid-cols-[minmax(0,1fr)_12rem_7.5rem] @[40rem]/main:items-center">
      <div className="min-w-0 @[18rem]/main:@max-[40rem]/main:row-span-2">
        <Link
          to={href}
          className="font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
        >
          {title}
        </Link>
        <p className="break-words text-ink-soft text-sm" title={exact}>
          {capital(what)}
          {who && ` · ${who}`} · {age}
        </p>
      </div>
      <div className="[&_.badge]:whitespace-normal @[18rem]/main:@max-[40rem]/main:order-1 @[18rem]/main:@max-[40rem]/main:text-right">
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      </div>
      <div className="figures @[18rem]/main:text-right">{cents !== null && <Amount cents={cents} />}</div>
    </li>
  );
}

type DashboardPageProps = Omit<ComponentProps<typeof WelcomeCard>, "isNew"> & { view: DashboardView };

/** The dashboard: the counts, what waits for a person, and a link to the next payment. */
function DashboardPage({ view, ...welcome }: DashboardPageProps) {
  const { counts, setUp, trialDaysLeft, isNew } = view;
  const show = (count: number) => formatCount(count);
  const steps = welcome.canWrite ? setUp : null;
  return (
    <div className="grid gap-6">
      <WelcomeCard {...welcome} isNew={isNew} />
      <CountStrip
        counts={[
          {
            label: "Pending Verifications",
            value: show(counts.pendingVerifications),
            detail: counts.pendingVerifications === 0 ? "Nothing waits" : "Open the list",
            icon: "clock",
            tone: "pending",
            to: appPaths.pendingVerifications,
          },
          {
            label: "Whitelisted Payees",
            value: show(counts.whitelistedPayees),
            detail: counts.whitelistedPayees === 0 ? "No payee is whitelisted" : "Watched for changes",
            icon: "shieldCheck",
            tone: "verified",
            to: payeesHref({ filter: "whitelisted" }),
          },
          {
            label: "Held Payments",
            value: `${show(counts.heldPayments)}${counts.isPartial ? "+" : ""}`,
            detail:
              counts.heldSince === null
                ? "Nothing is held"
                : `${formatAud(counts.heldCents)}${counts.isPartial ? "+" : ""}, oldest ${counts.heldSince.relative}`,
            icon: "pause",
            tone: "review",
            to: paymentsHref({ filter: "held" }),
          },
        ]}
      />
      {/* Decisions and money come before set-up steps. */}
      <div className="beside">
        <Inbox items={view.inbox} isNew={isNew} />
        {(view.money || steps) && (
          <div className="grid gap-6">
            {view.money && <MoneyCard money={view.money} />}
            {steps && <SetUpSteps steps={steps} trialDaysLeft={trialDaysLeft} offersSample={view.offersSample} />}
          </div>
        )}
      </div>
      <DashboardFooter canWrite={welcome.canWrite} canAdminister={view.canAdminister} />
    </div>
  );
}

/** Counts in one row, each with a link to its list. */
function CountStrip({
  counts,
}: {
  counts: readonly { label: string; value: string; detail: string; icon: IconName; tone: Tone; to: string }[];
}) {
  return (
    <ul className="grid divide-line rounded-base border border-line bg-surface shadow-rest @max-[40rem]/main:divide-y @[40rem]/main:grid-cols-3 @[40rem]/main:divide-x @[61rem]/main:grid-cols-[1fr_1.1fr_1.2fr]">
      {counts.map(({ label, value, detail, icon, tone, to }) => (
        <li
          key={to}
          className="relative flex min-h-13 items-center gap-2.5 px-4 py-2 has-[a:hover]:bg-sunken/70 @max-[18rem]/main:flex-wrap"
        >
          <Icon name={icon} className={cx("size-5 shrink-0", toneText[tone])} />
          <span className="figures shrink-0 font-medium @max-[61rem]/main:min-w-8 text-xl">{value}</span>
          <div className="min-w-0 flex-wrap items-baseline justify-between gap-x-2 @max-[18rem]/main:basis-full @[61rem]/main:flex @[61rem]/main:grow">
            <Link
              to={to}
              className="block font-medium text-base after:absolute after:inset-0 after:rounded-base focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent-text"
            >
              {label}
            </Link>
            <span className="block text-ink-soft text-sm">{detail}</span>
          </div>
        </li>
      ))}
    </ul>
  );
}

export const { meta, ErrorBoundary } = named("Dashboard", "Error Loading the Dashboard");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const reading = readAhead(scope, (reader) => readDashboardPage(scope.services, reader));
  const person = await requirePerson(scope);
  // For a super admin without an organisation, the list of organisations is the dashboard.
  if (person.role === "super_admin" && person.organizationId === null) throw redirect(appPaths.organizations);
  // People who are not approved yet see the frame's notice instead of the page.
  if (person.status !== "active" || person.organizationId === null) return null;
  const actor = asMember(person);
  return showDashboard(scope.services, actor, await reading(actor));
});

export default function Dashboard() {
  const loaded = useLoaderData<typeof loader>();
  return loaded ? <DashboardPage {...loaded} /> : <NoOrganization />;
}

/** Shown to people who can sign in but belong to no organisation. */
function NoOrganization() {
  return (
    <Card>
      <EmptyState icon="building" title="You are not part of an organisation yet">
        Ask an administrator of your organisation to invite you.
      </EmptyState>
    </Card>
  );
}

/** Links for when nothing is waiting, and the public pages that people use at work. */
function DashboardFooter({ canWrite, canAdminister }: { canWrite: boolean; canAdminister: boolean }) {
  const quick: NavItem[] = [
    ...(canWrite ? [{ label: "Verify a payee", to: appPaths.newPayee }] : []),
    ...(canAdminister ? [{ label: "Integrations", to: appPaths.integrations }] : []),
    { label: "Reports", to: appPaths.reports },
    { label: "Settings", to: appPaths.settings },
  ];
  return (
    <div data-screen-only className="flex flex-wrap justify-between gap-x-12">
      <FooterLinks label="Quick links" links={quick} />
      <FooterLinks label="About PayeeProof" links={ABOUT_LINKS} />
    </div>
  );
}

const ABOUT_LINKS: readonly NavItem[] = [
  { label: "Help", to: sitePaths.help },
  { label: "About", to: sitePaths.about },
  { label: "Privacy", to: sitePaths.privacy },
  { label: "Terms", to: sitePaths.terms },
];

const FooterLinks = ({ label, links }: { label: string; links: readonly NavItem[] }) => (
  <nav aria-label={label} className="flex flex-wrap gap-x-6">
    {links.map(({ label, to }) => (
      <Link
        key={to}
        to={to}
        className="inline-flex min-h-8 items-center rounded-base text-base text-ink-soft hover:text-ink hover:underline"
      >
        {label}
      </Link>
    ))}
  </nav>
);

/** The money of the last weeks: what was authorised, held and rejected. */
function MoneyCard({
  money: { title, weeks, description, chart, head, rows, totals },
}: {
  money: NonNullable<DashboardView["money"]>;
}) {
  return (
    <Card
      title={title}
      description={weeks}
      actions={
        <Button to={appPaths.reports} variant="secondary" size="sm" iconAfter="chevronRight">
          Reports
        </Button>
      }
    >
      <Chart {...chart} note={description} />
      <details className="group mt-2">
        <summary className="inline-flex min-h-10 items-center gap-1.5 rounded-base text-accent-text text-base">
          Show the figures
          <Icon name="chevronDown" className="size-4 transition-transform group-open:rotate-180" />
        </summary>
        <ReportFigures title={title} head={head} rows={rows} totals={totals} />
      </details>
    </Card>
  );
}
