import { Form } from "~/components/forms/form";
import { FormErrorSummary } from "~/components/forms/form-error-summary";
import { SubmitButton } from "~/components/forms/submit-button";
import { Textarea } from "~/components/forms/textarea";
import { WayOut } from "~/components/payees/payee-link/way-out";
import { Card } from "~/components/ui/card";
import { DefinitionList } from "~/components/ui/definition-list";
import { AccountNumber, Bsb } from "~/components/ui/digits";
import { type FormAnswer, sentencesOf } from "~/kernel/form-answer";
import { MAX_DISPUTE_NOTE } from "~/modules/payees/payee-links/payee-link";

export interface OpenLinkProps {
  organizationName: string;
  payeeName: string;
  accountName: string;
  bsb: string;
  accountNumber: string;
  /** "Yes" leads on to the payee's bank. */
  leadsToBank: boolean;
  /** What was typed, and what is wrong with it, after a refused post. */
  answer?: FormAnswer;
}

/** The details, and the two answers. Both are plain posts; nothing is answered by looking. */
export function OpenLink(props: OpenLinkProps) {
  const { organizationName, payeeName, leadsToBank, answer } = props;
  const problems = answer && sentencesOf(answer);
  return (
    <>
      <FormErrorSummary errors={{ note: problems }} />
      <h1 id="page-title" tabIndex={-1} className="display text-2xl sm:text-3xl">
        Are these your bank details?
      </h1>
      <p className="mt-3 text-ink-soft text-md">
        {organizationName} wants to pay {payeeName} and asks you to check that it has the right account.
      </p>
      <Card className="mt-6">
        <DefinitionList
          items={[
            { term: "Account name", value: <span className="font-medium text-md">{props.accountName}</span> },
            { term: "BSB", value: <Bsb value={props.bsb} className="font-medium text-md" /> },
            {
              term: "Account number",
              value: <AccountNumber value={props.accountNumber} className="font-medium text-md" />,
            },
          ]}
        />
        <Form method="post" reloadDocument className="mt-6 border-line border-t pt-5">
          <SubmitButton name="response" value="confirm" size="lg" icon="check" className="w-full sm:w-auto">
            Yes, these are my details
          </SubmitButton>
          {leadsToBank && (
            <p className="mt-3 max-w-[56ch] text-base text-ink-soft">
              Next, your own bank asks you to share the name and number of this account. You sign in on your bank’s
              page: we never see your password, and no payments or transactions are shared.
            </p>
          )}
        </Form>
      </Card>
      <DisputeForm organizationName={organizationName} answer={answer} problems={problems} />
      <WayOut quiet />
    </>
  );
}

type DisputeFormProps = Pick<OpenLinkProps, "organizationName" | "answer"> & { problems: string[] | undefined };

function DisputeForm({ organizationName, answer, problems }: DisputeFormProps) {
  return (
    <section aria-labelledby="dispute-title" className="mt-8">
      <h2 id="dispute-title" className="font-semibold text-md">
        Something is not right?
      </h2>
      <p className="mt-1 max-w-[56ch] text-base text-ink-soft">
        Say so, and {organizationName} will hold payments and get in touch with you. Do not send bank details here.
      </p>
      <Form method="post" reloadDocument className="mt-4 grid gap-4">
        <Textarea
          name="note"
          label="What is wrong"
          hint="For example: the account was closed, or you never sent these details."
          rows={3}
          maxLength={MAX_DISPUTE_NOTE}
          defaultValue={answer?.values.note}
          error={problems}
        />
        <div>
          <SubmitButton name="response" value="dispute" variant="secondary" icon="flag">
            These are not my details
          </SubmitButton>
        </div>
      </Form>
    </section>
  );
}
