import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import type { RegisterView } from "~/modules/business-register/register.view";

/** What the public business register says of the payee's ABN. */
export function RegisterCard({ register }: { register: RegisterView }) {
  if (register.state === "not_asked") {
    return (
      <Card title="Business register">
        <p className="text-base text-ink-soft">
          Not looked up yet: the register has not answered so far. This says nothing about the ABN.
        </p>
      </Card>
    );
  }
  if (register.state === "not_found") {
    return (
      <Card title="Business register" description={`As of ${register.asOf}`}>
        <p className="text-base text-review">The register has no such ABN. Ask the payee for the right one.</p>
      </Card>
    );
  }
  const { entityName, isActive, statusFrom, statusAge, entityType, gstFrom, businessNames, place, closest, concerns } =
    register;
  return (
    <Card title="Business register" description={`As of ${register.asOf}`}>
      {concerns.length > 0 && (
        <ul className="mb-4 grid gap-1 text-base text-review">
          {concerns.map((concern) => (
            <li key={concern}>{concern}</li>
          ))}
        </ul>
      )}
      <DefinitionList
        columns={2}
        items={[
          { term: "Entity", value: <span className="font-medium">{entityName}</span> },
          {
            term: "ABN status",
            value: (
              <>
                <Badge tone={isActive ? "verified" : "review"} icon={isActive ? "checkCircle" : "xCircle"}>
                  {isActive ? "Active" : "Cancelled"}
                </Badge>
                {statusFrom && (
                  <span className="block text-ink-soft text-sm">
                    since {statusFrom}, {statusAge}
                  </span>
                )}
              </>
            ),
          },
          { term: "Closest to the payee's name", value: `${closest.name}, score ${closest.score} of 100` },
          { term: "GST", value: gstFrom ? `Registered since ${gstFrom}` : "Not registered" },
          { term: "Kind", value: [entityType, place].filter(Boolean).join(", ") },
          ...(businessNames.length > 0 ? [{ term: "Business names", value: businessNames.join(", ") }] : []),
        ]}
      />
    </Card>
  );
}
