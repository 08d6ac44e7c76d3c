import { type FormProps, Form as RouterForm, useActionData, useLocation, useNavigation } from "@remix-run/react";
import {
  createContext,
  type FormEvent,
  type MouseEvent,
  type MutableRefObject,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useErrorTitle } from "~/components/layout/page-title";
import { Button, type ButtonSize, type ButtonVariant } from "~/components/ui/button";
import { Icon, type IconName } from "~/components/ui/icons";
import { answerTo, type FormAnswer, isRefusal, KEPT_FORM, TYPIST_FIELD } from "~/kernel/form-answer";

/** A layout effect has nothing to do while the server draws, and React says so. */
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

/**
 * The one form of the product. What is typed or ticked in it belongs to one address, and to one attempt to send it:
 * at another address, for another person, and once it was accepted, the form is a new one with nothing in it. A refusal, a
 * lost connection and data that is loaded again leave it as it is. `autoComplete="off"` keeps browsers from filling it again by themselves
 * after a reload, when another row may stand where the ticked one stood.
 */
export function Form(props: FormProps) {
  const { pathname, search } = useLocation();
  const [sent, noteSent] = useAcceptedPosts();
  const focused = useRef<string | null>(null);
  const typist = useContext(TypistContext) ?? undefined;
  return (
    <OneForm
      key={`${pathname}${withoutIndex(search)} ${sent} ${typist}`}
      {...props}
      typist={props.method === "post" ? typist : undefined}
      noteSent={noteSent}
      focused={focused}
    />
  );
}

/** Whose the forms of a page are (`RootData`): sent by another person, or in another organisation, they are refused. */
export const TypistContext = createContext<string | null>(null);

type OneFormProps = FormProps & { typist?: string; noteSent: () => void; focused: MutableRefObject<string | null> };

/** One form, from its first drawing until it gives way to a new one. The focus stays where it was in the former one. */
function OneForm({ typist, noteSent, focused, onSubmit, children, ...form }: OneFormProps) {
  const own = useRef<HTMLFormElement>(null);
  useBeforePaint(() => {
    const element = own.current;
    if (focused.current) findControl(element, focused.current)?.focus({ preventScroll: true });
    focused.current = null;
    return () => {
      const active = document.activeElement;
      focused.current = active && element?.contains(active) ? nameOf(active) : null;
    };
  }, [focused]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    onSubmit?.(event);
    if (!event.defaultPrevented) noteSent();
  };
  return (
    <RouterForm autoComplete="off" {...form} ref={own} onSubmit={submit}>
      {children}
      {typist && <input type="hidden" name={TYPIST_FIELD} value={typist} />}
    </RouterForm>
  );
}

/** How often this form was sent and not refused, and what to call when it is sent. */
function useAcceptedPosts(): [number, () => void] {
  const { state } = useNavigation();
  const answer = useActionData();
  const [accepted, setAccepted] = useState(0);
  const isSent = useRef(false);
  useBeforePaint(() => {
    if (state !== "idle" || !isSent.current) return;
    isSent.current = false;
    if (!isRefusal(answer)) setAccepted((count) => count + 1);
  }, [state, answer]);
  return [
    accepted,
    () => {
      isSent.current = true;
    },
  ];
}

/** The address that a form of an index page posts to differs from the page's own by this word alone. */
const withoutIndex = (search: string) => search.replace(/([?&])index(&|$)/, "$1").replace(/[?&]$/, "");

/** What tells a control from the others of its form, in a new form too. */
const nameOf = (control: Element): string =>
  [
    control.tagName,
    control.id,
    control.getAttribute("name"),
    control.getAttribute("aria-label"),
    control.textContent,
  ].join(" ");

const findControl = (form: HTMLFormElement | null, name: string) =>
  [...(form?.querySelectorAll<HTMLElement>("a, button, input, select, textarea") ?? [])].find(
    (control) => nameOf(control) === name,
  );

/** What a browser checks of a field by itself, as the server made it out of its rules. */
interface FieldLimits {
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

/** By the name of their field. */
export type FormLimits = Readonly<Record<string, FieldLimits | undefined>>;

/** What fields find in the form around them, by their name. */
export interface FormAround {
  intent?: string;
  /** The answer to this form; then what was typed stands in its fields. */
  answer?: FormAnswer;
  /** What stands in the fields before anything was sent. */
  values?: Readonly<Partial<Record<string, string | null>>>;
  limits?: FormLimits;
  /** Before each id, where a page has several fields of one name. */
  idPrefix?: string;
  disabled?: boolean;
}

const AroundContext = createContext<FormAround>({});
export const FormAroundProvider = AroundContext.Provider;
export const useFormAround = () => useContext(AroundContext);

/** The id of a field, where the error summary leads. */
export const fieldId = (name: string, idPrefix?: string) => (idPrefix ? `${idPrefix}-${name}` : name);

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
        {kept.label} (opens in a new tab)
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
