import { useActionData, useLocation } from "@remix-run/react";
import { useRef } from "react";

/**
 * What the last post of this page was answered, until the person goes on: for a page that loads its data again by itself,
 * which makes the router forget the answer, and what was typed with it.
 */
export function useAnswer<T>(): T | undefined {
  const answer = useActionData<T>() as T | undefined;
  const { key } = useLocation();
  const kept = useRef<{ key: string; answer: T }>();
  if (answer) kept.current = { key, answer };
  else if (kept.current?.key !== key) kept.current = undefined;
  return kept.current?.answer;
}
