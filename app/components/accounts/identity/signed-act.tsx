import { type FormAnswer, HiddenFields, PostForm } from "~/components/forms/form";
import { RefusedAct } from "~/components/forms/refused-act";
import { Card } from "~/components/ui/page-parts";
import { approvalIn, PasskeyApproval } from "./passkey-approval";

const ASKED = ["intent", "shownToPasskey"];

/** Why a button in a list changed nothing; if only a passkey is missing, offers the action again with it. */
export function SignedAct({ answer }: { answer?: FormAnswer }) {
  const approval = approvalIn(answer);
  if (!answer || !approval) return <RefusedAct answer={answer} />;
  const again = Object.entries(answer.values).filter(([name]) => !ASKED.includes(name));
  return (
    <Card title={answer.title} className="mb-6">
      <PostForm answer={answer}>
        <HiddenFields values={Object.fromEntries(again)} />
        <PasskeyApproval approval={approval} name="intent" value={answer.intent} />
      </PostForm>
    </Card>
  );
}
