import {
  type ClientActionFunctionArgs,
  type FormProps,
  Form as RouterForm,
  type ShouldRevalidateFunction,
  useActionData,
  useLocation,
  useNavigation,
} from "@remix-run/react";
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
import { Button, type ButtonSize, type ButtonVariant, Icon, type IconName } from "~/components/ui/elements";
import type { ErrorCode } from "~/kernel/app-error";
import { MORE_PARTS, NEVER_SHOWN_AGAIN, PART_FIELD, TYPIST_FIELD } from "~/kernel/form-fields";
import { sitePaths } from "~/kernel/paths/site";

/** A page's answer to a refused form: the same form, with what was typed and what is wrong. */
export type FormAnswer = {
  /** Which of the page's forms it was: the value of its submit button or hidden field `intent`. */
  intent: string;
  /**
   * Why it was refused, for a page that offers a solution, e.g. "SUBSCRIPTION_REQUIRED"; UNREACHABLE: the server could
   * not be reached; NEXT_STEP: nothing is wrong, and `extra` says what comes next.
   */
  code: ErrorCode | "UNREACHABLE" | "NEXT_STEP";
  title: string;
  errors: Record<string, string[]>;
  /** Sentences that belong to no field. */
  formErrors: string[];
  /** What was typed, except passwords and codes. */
  values: Record<string, string>;
  /** Further data of the refusal, e.g. the payee that already has the account. */
  extra?: Record<string, unknown>;
};

/** The answer, if it belongs to this form. */
export const answerTo = (answer: FormAnswer | undefined, intent: string): FormAnswer | undefined =>
  answer?.intent === intent ? answer : undefined;

/** All sentences of a refused form, for a page that shows them in one place. */
export const sentencesOf = ({ formErrors, errors }: FormAnswer): string[] => [
  ...formErrors,
  ...Object.values(errors).flat(),
];

/** True if an action's answer is a form that was refused. */
const isRefusal = (answer: unknown): answer is FormAnswer =>
  typeof answer === "object" &&
  answer !== null &&
  "formErrors" in answer &&
  (answer as FormAnswer).code !== "NEXT_STEP";

/** What to do, in another tab, before a form that could not be processed is posted again. */
export const KEPT_FORM = {
  signed_out: {
    title: "Nothing was saved",
    sentence: "You were signed out. What you typed is still here: log in again in another tab, then send this again.",
    to: sitePaths.signIn,
    label: "Log in",
  },
  step_up: {
    title: "One more step",
    sentence:
      "Your organisation asks for a code or a passkey first. This was not saved, and what you typed is still here: confirm in another tab, then send this again.",
    to: sitePaths.stepUp,
    label: "Give the code",
  },
};

/** On the server, a layout effect does nothing and React warns about it. */
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

/**
 * The product's only form component. What is typed or ticked belongs to one address and one attempt to send it: at a
 * different address, for a different person, or after the form was accepted, it is replaced by a new empty form.
 * Refusals, lost connections and reloaded data leave it as it is. `autoComplete="off"` keeps browsers from filling it
 * in after a reload, when a different row may be in place of the ticked one.
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

/** The person and organisation of the page's forms (`RootData`); the forms of any other are refused. */
export const TypistContext = createContext<string | null>(null);

type OneFormProps = FormProps & { typist?: string; noteSent: () => void; focused: MutableRefObject<string | null> };

/** One form instance, from its first render until it is replaced. The new instance keeps the focus where it was. */
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

/** How often this form was sent without being refused, and a function to call when it is sent. */
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

/** Removes the `index` parameter that forms of index pages post to, which the page's own address lacks. */
const withoutIndex = (search: string) => search.replace(/([?&])index(&|$)/, "$1").replace(/[?&]$/, "");

/** Identifies a control within its form, including in a new instance. */
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

/** The limits that a browser checks by itself, generated by the server from the schema. */
interface FieldLimits {
  required?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

export type FormLimits = Readonly<Record<string, FieldLimits | undefined>>;

/** What fields look up in the surrounding form, by their name. */
export interface FormContext {
  intent?: string;
  /** The answer to this form, whose values then fill the fields. */
  answer?: FormAnswer;
  values?: Readonly<Partial<Record<string, string | null>>>;
  limits?: FormLimits;
  /** A prefix for ids, when a page has several fields of one name. */
  idPrefix?: string;
  disabled?: boolean;
}

const AroundContext = createContext<FormContext>({});
export const FormContextProvider = AroundContext.Provider;
export const useFormContext = () => useContext(AroundContext);

/** The id of a field, for links in the error summary. */
export const fieldId = (name: string, idPrefix?: string) => (idPrefix ? `${idPrefix}-${name}` : name);

type PostFormProps = FormProps &
  FormContext & {
    /** Field names in the form's order, if the server checks them in a different order. */
    order?: readonly string[];
    /** False if the page itself shows the errors above the form. */
    summary?: boolean;
  };

/**
 * A form that posts, and is shown again with what was typed and what is wrong: its fields find both by name, and all
 * sentences are repeated above them. With an `intent` it is one of several forms on a page, and shows only its own
 * answer.
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
      <FormContextProvider value={{ intent, answer: mine, values, limits, idPrefix, disabled }}>
        {summary !== false && <AnswerSummary order={order} />}
        {intent && <input type="hidden" name="intent" value={intent} />}
        {children}
      </FormContextProvider>
    </Form>
  );
}

/** The errors of the surrounding form. Each line links to its field. */
function AnswerSummary({ order }: Pick<PostFormProps, "order">) {
  const { answer, idPrefix } = useFormContext();
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
  /** Messages by field id, in the form's order. */
  errors?: Readonly<Record<string, readonly string[] | null | undefined>> | null;
  /** Messages that belong to no field: "Invalid username or password". */
  formErrors?: readonly string[] | null;
  title?: string;
}

/** Focuses the field without changing the address: the router would discard the answer with its errors. */
function focusField(id: string, event: MouseEvent) {
  const field = document.getElementById(id);
  if (!field) return;
  event.preventDefault();
  const fold = field.closest("details");
  if (fold) fold.open = true;
  field.focus();
}

/** The error summary at the top of the form, with links to the fields. Takes the focus when it appears. */
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
                onClick={(event) => focusField(line.id, event)}
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

/** A refusal's sentence: a sign-in or second step that it asks for opens in a new tab, so what was typed stays. */
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

/** Hidden values of a form; absent ones are left out. */
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
  /** Name and value sent with the form; they also distinguish two buttons of one form. */
  name?: string;
  value?: string;
  /** The form's action, if a page has several forms. */
  formAction?: string;
  /** Id of a form that does not contain the button. */
  form?: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  disabled?: boolean;
  /** Whether a keyboard shortcut presses it at once ("one"), or focuses what has to be filled in first ("two"). */
  "data-keys"?: "one" | "two";
  className?: string;
}

/** Submits the form. While the post is in progress, it says so and ignores further presses. */
export function SubmitButton({ pendingText, children, ...button }: SubmitButtonProps) {
  const navigation = useNavigation();
  const { intent } = useFormContext();
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

/** A form with only one button, for an action without fields. */
export function ButtonForm({
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

export const OFFLINE = "We could not reach PayeeProof. Check your connection and try again.";

/**
 * A form's client action for network failures: keeps the form with what was typed, except passwords, and says so.
 * Passes on every answer of the server, including refusals.
 */
export async function keepFormWhenOffline(
  { request, serverAction }: ClientActionFunctionArgs,
  { title, sentence }: { title: string; sentence: string },
): Promise<unknown> {
  const form = await request.clone().formData();
  try {
    return await serverAction();
  } catch (error) {
    const over = error instanceof Response ? whyKept(error) : undefined;
    // Any other thrown response is a redirect or refusal, so the server was reached.
    if (!over && (error instanceof Response || isRouteError(error))) throw error;
    const values: Record<string, string> = {};
    for (const [name, value] of form)
      if (typeof value === "string" && !NEVER_SHOWN_AGAIN.test(name)) values[name] = value;
    const answer: FormAnswer = {
      intent: String(form.get("intent") ?? ""),
      code: over ? "SIGNED_OUT" : "UNREACHABLE",
      title: over?.title ?? title,
      errors: {},
      formErrors: [over?.sentence ?? sentence],
      values,
    };
    // An error status keeps the router from loading the page's data.
    return Response.json(answer, { status: over ? 401 : 503 });
  }
}

/**
 * Why the server redirected away from the form: the person has to sign in again, or repeat a second step. Undefined for
 * other redirects, because an accepted form may also lead to the sign-in page.
 */
function whyKept(response: Response) {
  const [path, query] = (response.headers.get("Location") ?? "").split("?");
  if (path !== sitePaths.keptForm) return undefined;
  return KEPT_FORM[new URLSearchParams(query).get("why") === "step_up" ? "step_up" : "signed_out"];
}

/** The client action of a form that changes something: after a lost connection what was typed stays, and it says so. */
export const keepWhatWasTyped = (args: ClientActionFunctionArgs): Promise<unknown> =>
  keepFormWhenOffline(args, {
    title: "The connection was lost",
    sentence: "We could not reach PayeeProof, so this may not have been saved. Check your connection and try again.",
  });

const isRouteError = (error: unknown) => typeof error === "object" && error !== null && "status" in error;

/**
 * For a page that must show newer data after one of its actions is refused with 409. After other refusals, and above
 * all after a lost connection, nothing is reloaded, because a failed load would replace the form and what was typed.
 * The framework otherwise reloads every page, whatever the status.
 */
export const loadAgainWhenRefused: ShouldRevalidateFunction = ({ actionStatus = 200, formData }) =>
  (actionStatus < 400 || actionStatus === 409) && formData?.get(PART_FIELD) !== MORE_PARTS;
