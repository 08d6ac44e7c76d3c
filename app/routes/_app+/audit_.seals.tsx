import { useLoaderData } from "@remix-run/react";
import { TextInput } from "~/components/forms/fields";
import { Form } from "~/components/forms/form";
import { SealReport } from "~/components/records/seal-report";
import { ListCard } from "~/components/tables/list-card";
import type { Column } from "~/components/tables/table";
import { Badge, Button, Callout } from "~/components/ui/elements";
import { Card, named, PageHeader, Time } from "~/components/ui/page-parts";
import { page, pageMember } from "~/http/page.server";
import { appPaths } from "~/kernel/paths/app";
import { readSealsPage } from "~/modules/records/audit-trail/kept-seals.server";

type SealsPage = Awaited<ReturnType<typeof readSealsPage>>;

export const { meta, ErrorBoundary } = named("Kept seals", "Error Loading the Kept Seals");

export const loader = /* @__PURE__ */ page(async (scope) => {
  const actor = await pageMember(scope);
  return readSealsPage(scope.services, actor, scope.url);
});

export default function KeptSeals() {
  const { seals, asked, checked, newestHref, nextHref } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Kept seals"
        description="A seal proves the audit trail up to its entry. A seal that someone keeps outside PayeeProof shows later whether the trail was altered, even by someone who has the database."
        breadcrumb={[{ label: "Audit trail", to: appPaths.audit }]}
      />
      {checked && <Checked checked={checked} />}
      <Card>
        <h2 className="mb-3 font-semibold text-md">Check a seal that you kept</h2>
        <Form method="get" action={appPaths.auditSeals} noValidate className="grid gap-4 sm:grid-cols-[10rem_1fr_auto]">
          <TextInput
            name="count"
            label="Entry"
            hint="Its number"
            inputMode="numeric"
            digits
            required
            defaultValue={asked.count}
            error={errorsOf(checked).count}
          />
          <TextInput
            name="hash"
            label="Seal"
            hint="64 characters"
            digits
            required
            spellCheck={false}
            defaultValue={asked.hash}
            error={errorsOf(checked).hash}
          />
          <div className="self-end">
            <Button type="submit" variant="secondary" icon="shieldCheck">
              Check the trail
            </Button>
          </div>
        </Form>
      </Card>
      <ListCard
        label="Kept seals"
        rows={seals}
        columns={COLUMNS}
        keyOf={({ count }) => count}
        className="mt-5"
        empty={{ icon: "shieldCheck", title: "No seals yet", children: NO_SEALS }}
        pager={{ previousHref: newestHref, nextHref }}
      />
    </>
  );
}

function errorsOf(checked: SealsPage["checked"]): { count?: string[]; hash?: string[] } {
  return checked && "errors" in checked ? (checked.errors ?? {}) : {};
}

/** The result of the requested check. */
function Checked({ checked }: { checked: NonNullable<SealsPage["checked"]> }) {
  if ("report" in checked && checked.report)
    return <SealReport report={checked.report} checkHref={checked.checkHref ?? appPaths.auditSeals} />;
  if (!("problem" in checked)) return null;
  return (
    <Callout
      tone="danger"
      role="alert"
      title={
        checked.problem === "missing"
          ? `The trail has no sealed entry ${checked.count}`
          : `The trail has a different seal for entry ${checked.count}`
      }
      className="mb-5"
    >
      Compare the number and the seal with what you kept, character by character. If they are the same, the trail was
      altered after you got the seal, or the seal is another organisation&rsquo;s: contact us at once.
    </Callout>
  );
}

const NO_SEALS =
  "Administrators who choose “Daily seal of the audit trail” under Alerts in their profile get one a day by email. It is also kept here.";

const COLUMNS: readonly Column<SealsPage["seals"][number]>[] = [
  { head: "Kept", width: "wide:w-[15%]", cell: ({ kept }) => <Time {...kept} stacked /> },
  { head: "Entry", width: "wide:w-[10%]", cell: ({ count }) => <span className="figures">{count}</span> },
  { head: "Seal", cell: ({ hash }) => <span className="figures break-all text-sm">{hash}</span> },
  {
    head: "In the trail today",
    width: "wide:w-[18%]",
    cell: ({ isHeld }) => (
      <Badge tone={isHeld ? "neutral" : "review"} icon={isHeld ? "check" : "flag"}>
        {isHeld ? "Still there" : "Not there"}
      </Badge>
    ),
  },
  {
    head: "Check",
    actions: true,
    cell: ({ checkHref, count }) => (
      <Button to={checkHref} variant="quiet" size="sm" aria-label={`Check the trail up to entry ${count}`}>
        Check
      </Button>
    ),
  },
];
