import { Badge } from "~/components/ui/badge";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import type { RegisterView } from "~/modules/directories/register.view";

/** What the public business register says of the payee's ABN. */
export function RegisterCard({ register }: { register: RegisterView }) {
  const { asOf } = register;
  return (
    <Card title="Business register" description={asOf && `As of ${asOf}`}>
      {register.state === "found" ? <Found {...register} /> : <p className="text-base">{register.sentence}</p>}
    </Card>
  );
}

function Found({ entityName, isActive, statusFrom, statusAge, concerns, facts }: RegisterView & { state: "found" }) {
  const status = (
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
  );
  return (
    <>
      {concerns.map((concern) => (
        <p key={concern} className="mb-4 text-base text-review">
          {concern}
        </p>
      ))}
      <DefinitionList
        columns={2}
        items={[{ term: "Entity", value: entityName }, { term: "ABN status", value: status }, ...facts]}
      />
    </>
  );
}
