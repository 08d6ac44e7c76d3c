import { type FormProps, useNavigation } from "@remix-run/react";
import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { Form } from "~/components/forms/form";
import { type FormAround, FormAroundProvider, fieldId, useFormAround } from "~/components/forms/form-around";
import { useErrorTitle } from "~/components/layout/page-title";
import { Button, type ButtonSize, type ButtonVariant } from "~/components/ui/button";
import { Icon, type IconName } from "~/components/ui/icons";
import { answerTo, KEPT_FORM } from "~/kernel/form-answer";

type PostFormProps = FormProps &
  FormAround & {
    /** Names of the fields as the form shows them, where the server checks them in another order. */
    order?: readonly string[];
    /** False where the page says above the form what is wrong with it. */
    summary?: boolean;
  };

/**
 * A form that posts, and is shown again with what was typed and what is wrong: its fields find both by their name, and the
 * sentences stand above them once more. With an `intent` it is one of several forms of its page, and shows only its own answer.
 */
export function PostForm({
  intent,
  answer,
  values,
  limits,
  idPrefix,
  disabled,
  order,
  summary,
  children,
  ...form
}: PostFormProps) {
  const mine = intent ? answerTo(answer, intent) : answer;
  return (
    <Form method="post" noValidate {...form}>
      <FormAroundProvider value={{ intent, answer: mine, values, limits, idPrefix, disabled }}>
        {summary !== false && <AnswerSummary order={order} />}
        {intent && <input type="hidden" name="intent" value={intent} />}
        {children}
      </FormAroundProvider>
    </Form>
  );
}

/** What is wrong with the form around. Each line leads to its field. */
function AnswerSummary({ order }: Pick<PostFormProps, "order">) {
  const { answer, idPrefix } = useFormAround();
  const errors = answer?.errors ?? {};
  const names = order ?? Object.keys(errors);
  return (
    <FormErrorSummary
      title={answer?.title}
      errors={Object.fromEntries(names.map((name) => [fieldId(name, idPrefix), errors[name]]))}
      formErrors={answer?.formErrors}
    />
  );
}

interface FormErrorSummaryProps {
  /** Messages by the id of their field, in the order of the form. */
  errors?: Readonly<Record<string, readonly string[] | null | undefined>> | null;
  /** What belongs to no field: "Invalid username or password". */
  formErrors?: readonly string[] | null;
  title?: string;
}

/** To the field without a new address: the router takes one for a navigation, and forgets the answer with its errors. */
function leadTo(id: string, event: MouseEvent) {
  const field = document.getElementById(id);
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** What went wrong, at the top of the form, each line leading to its field. It takes the focus when it appears. */
export function FormErrorSummary({ errors, formErrors, title = "There is a problem" }: FormErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const lines = Object.entries(errors ?? {}).flatMap(([id, messages]) =>
    messages?.[0] ? [{ id, message: messages[0] }] : [],
  );
  const general = formErrors ?? [];
  const signature = [...general, ...lines.map((line) => line.id + line.message)].join("\n");
  useErrorTitle(signature !== "");
  useEffect(() => {
    if (signature) box.current?.focus();
  }, [signature]);
  if (!signature) return null;
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="mb-6 flex gap-3 rounded-base bg-review-wash p-4 text-base border border-review-line"
    >
      <Icon name="alert" className="mt-px text-review" />
      <div className="min-w-0">
        <h2 className="font-semibold">{title}</h2>
        <ul className="mt-1 grid gap-0.5">
          {general.map((message) => (
            <li key={message}>
              <Refusal>{message}</Refusal>
            </li>
          ))}
          {lines.map((line) => (
            <li key={line.id}>
              <a
                href={`#${line.id}`}
                onClick={(event) => leadTo(line.id, event)}
                className="font-medium text-review underline underline-offset-2"
              >
                {line.message}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** A sentence of a refusal: one that asks for a sign-in, or a second step, leads there without leaving what was typed. */
export function Refusal({ children }: { children: string }) {
  const kept = Object.values(KEPT_FORM).find(({ sentence }) => sentence === children);
  if (!kept) return children;
  return (
    <>
      {children}{" "}
      <a href={kept.to} target="_blank" rel="noopener" className="font-medium underline underline-offset-2">
        {kept.label} (opens another tab)
      </a>
    </>
  );
}

/** Values that travel with a form; absent ones are left out. */
export function HiddenFields({ values }: { values: Readonly<Record<string, string | number | null | undefined>> }) {
  return (
    <>
      {Object.entries(values).map(([name, value]) =>
        value === null || value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
    </>
  );
}

interface SubmitButtonProps {
  children: ReactNode;
  /** "Joining..." */
  pendingText?: string;
  /** Name and value sent with the form; they also tell two buttons of one form apart. */
  name?: string;
  value?: string;
  /** The form's action, where a page has several forms. */
  formAction?: string;
  /** Id of a form the button is outside of. */
  form?: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  disabled?: boolean;
  /** Whether a page that listens for keys presses it at one key, or leads to what has to be said first. */
  "data-keys"?: "one" | "two";
  className?: string;
}

/** Sends the form. While the post is under way it says so and ignores further presses. */
export function SubmitButton({ pendingText, children, ...button }: SubmitButtonProps) {
  const navigation = useNavigation();
  const { intent } = useFormAround();
  const sent = navigation.formData;
  const isOwn = button.name
    ? sent?.get(button.name) === (button.value ?? "")
    : !intent || sent?.get("intent") === intent;
  const mine =
    sent !== undefined &&
    isOwn &&
    (button.formAction === undefined || navigation.formAction?.split("?")[0] === button.formAction.split("?")[0]);
  return (
    <Button type="submit" {...button} pending={navigation.state !== "idle" && mine} pendingText={pendingText}>
      {children}
    </Button>
  );
}

/** An act that needs no more than a press: a form of one button. */
export function Act({
  intent,
  children,
  variant = "secondary",
}: {
  intent: string;
  children: string;
  variant?: ButtonVariant;
}) {
  return (
    <Form method="post">
      <SubmitButton name="intent" value={intent} variant={variant} size="sm" pendingText="One moment...">
        {children}
      </SubmitButton>
    </Form>
  );
}
