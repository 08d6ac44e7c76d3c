import { type FormProps, Form as RouterForm, useActionData, useLocation, useNavigation } from "@remix-run/react";
import {
  createContext,
  type FormEvent,
  type MutableRefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { isRefusal, TYPIST_FIELD } from "~/kernel/form-answer";

/** A layout effect has nothing to do while the server draws, and React says so. */
const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;

/**
 * The one form of the product. What is typed or ticked in it belongs to one address, and to one attempt to send it:
 * at another address, for another person, and once it was accepted, the form is a new one with nothing in it. A refusal, a lost connection and
 * data that is loaded again leave it as it is. `autoComplete="off"` keeps browsers from filling it again by themselves
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
