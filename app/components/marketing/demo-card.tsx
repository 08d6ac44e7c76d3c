import type { ReactNode } from "react";
import { Form } from "~/components/forms/form";
import { Badge, Button, cx, Icon } from "~/components/ui/elements";
import { AccountNumber, Amount, Bsb, DefinitionList } from "~/components/ui/page-parts";
import { StatusBadge } from "~/components/ui/status-badge";

/** The demo has four steps and starts at the third (specification sections 2 and 9). */
export const DEMO_STEPS = ["Enter details", "Check details", "Verify payee", "Authorise"] as const;
const DEMO_START = 3;

export type DemoStep = 1 | 2 | 3 | 4;

/** Parses `?step=`; anything else means the start. */
export function parseDemoStep(text: string | null): DemoStep {
  const step = Number(text);
  return step === 1 || step === 2 || step === 4 ? step : DEMO_START;
}

export interface DemoPayee {
  name: string;
  accountName: string;
  bsb: string;
  accountNumber: string;
  amountCents: number;
}

/** One payment in four steps for the visitor to try. Its buttons are a GET form, so it works without scripts. */
export function DemoCard({ step, payee, action }: { step: DemoStep; payee: DemoPayee; action: string }) {
  return (
    <section id="demo" aria-labelledby="demo-title" className="rounded-base bg-surface shadow-lift border border-line">
      <div className="flex flex-wrap items-center justify-between gap-2 px-5 pt-5 sm:px-6">
        <h3 id="demo-title" className="font-semibold text-md">
          Payment verification
        </h3>
        <p className="figures text-ink-soft text-sm">Step {step} of 4</p>
      </div>
      <div className="px-5 pt-4 sm:px-6">
        <Steps items={DEMO_STEPS} current={step} label="Steps of the demo" />
      </div>
      <div className="px-5 py-5 sm:px-6">
        <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
          <p className="font-medium text-lg">{payee.name}</p>
          <StatusBadge of="payee" status="whitelisted" />
        </div>
        <DefinitionList
          items={[
            { term: "BSB", value: <Bsb value={payee.bsb} /> },
            { term: "Account number", value: <AccountNumber value={payee.accountNumber} /> },
            { term: "Account name", value: payee.accountName },
            { term: "Payment amount", value: <Amount cents={payee.amountCents} className="font-semibold" /> },
          ]}
        />
      </div>
      <Form
        method="get"
        action={`${action}#demo`}
        preventScrollReset
        className="flex flex-wrap items-center justify-between gap-3 border-line border-t bg-sunken/60 px-5 py-4 sm:px-6"
      >
        <DemoFooter step={step} />
      </Form>
    </section>
  );
}

function DemoFooter({ step }: { step: DemoStep }) {
  if (step === 3) {
    return (
      <>
        <p className="text-base text-ink-soft">The details are the ones on your whitelist.</p>
        <div className="flex gap-2">
          <StepButton to={2} quiet>
            Cancel
          </StepButton>
          <StepButton to={4}>Verify &amp; Continue</StepButton>
        </div>
      </>
    );
  }
  if (step === 4) {
    return (
      <>
        <p className="flex items-center gap-2 text-base">
          <Badge tone="verified" icon="checkCircle">
            Authorised
          </Badge>
          <span className="text-ink-soft">Ready for the pay run.</span>
        </p>
        <StepButton to={3} quiet>
          Start again
        </StepButton>
      </>
    );
  }
  return (
    <>
      <p className="flex items-center gap-2 text-base text-ink-soft">
        <Icon name="pause" className="size-4.5" />
        Nothing was paid. The payment is on hold.
      </p>
      <StepButton to={3}>Continue</StepButton>
    </>
  );
}

function StepButton({ to, quiet, children }: { to: DemoStep; quiet?: boolean; children: ReactNode }) {
  return (
    <Button type="submit" name="step" value={to} variant={quiet ? "secondary" : "primary"}>
      {children}
    </Button>
  );
}

/** Progress through named steps; `current` counts from 1. */
function Steps({ items, current, label }: { items: readonly string[]; current: number; label: string }) {
  return (
    <ol aria-label={label} className="flex gap-2">
      {items.map((item, index) => {
        const step = index + 1;
        const done = step < current;
        return (
          <li key={item} aria-current={step === current ? "step" : undefined} className="flex-1">
            <span data-filled={step <= current} className="step-bar" />
            <span
              className={cx(
                "mt-2 flex items-center gap-1 text-xs",
                step === current ? "font-medium text-ink" : "text-ink-soft",
              )}
            >
              {done && <Icon name="check" className="size-3.5 text-accent-text" />}
              {done && <span className="sr-only">Done: </span>}
              <span className={step === current ? undefined : "max-sm:sr-only"}>{item}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
