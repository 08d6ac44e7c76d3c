import { Form } from "~/components/forms/form";
import { HiddenFields } from "~/components/forms/hidden-fields";
import { SubmitButton } from "~/components/forms/submit-button";
import { Badge } from "~/components/ui/badge";
import { Callout } from "~/components/ui/callout";
import { Card } from "~/components/ui/card";
import { EmptyState } from "~/components/ui/empty-state";
import { Time } from "~/components/ui/time";
import type { ApiTokenView } from "~/modules/accounts/identity/api-tokens/api-token";

/** A person's API tokens, without the tokens themselves. */
export function TokenList({ tokens }: { tokens: ApiTokenView[] }) {
  if (tokens.length === 0) {
    return (
      <Card title="Your API tokens">
        <EmptyState icon="key" title="No API tokens" headingLevel={3}>
          You need one for scripts that use PayeeProof in your name.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card flush title="Your API tokens">
      <ul className="divide-y divide-line border-line border-t">
        {tokens.map((token) => (
          <li key={token.id} className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {token.name}
                {token.isExpired && <Badge tone="neutral">Expired</Badge>}
              </p>
              <p className="break-words text-ink-soft text-sm">
                {token.organizationName}, ends in <code>{token.hint}</code>: {token.scopes.join(", ")}
              </p>
              <p className="text-ink-soft text-sm">
                Made {token.created}, {token.expires ? `works until ${token.expires}` : "works until revoked"},{" "}
                {token.lastUsed ? (
                  <>
                    last used <Time {...token.lastUsed} />
                  </>
                ) : (
                  "never used"
                )}
              </p>
            </div>
            <Form method="post">
              <HiddenFields values={{ intent: "revoke" }} />
              <SubmitButton name="tokenId" value={token.id} variant="quiet" size="sm" pendingText="Revoking...">
                Revoke
                <span className="sr-only">{token.name}</span>
              </SubmitButton>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Shown once. */
export function NewToken({ name, token }: { name: string; token: string }) {
  return (
    <Callout tone="warning" role="status" title={`Copy the token "${name}" now: it is not shown again`}>
      <p className="mt-2 break-all rounded-base bg-surface px-3 py-2 border border-line">
        <code>{token}</code>
      </p>
      <p className="mt-2">
        Send it with each call as <code>Authorization: Bearer</code> and keep it as you keep a password.
      </p>
    </Callout>
  );
}
