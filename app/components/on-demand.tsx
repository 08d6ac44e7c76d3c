import { type ComponentType, createElement, lazy, Suspense } from "react";

/**
 * A component that few views need. The server renders it normally; the browser loads its script when it is shown, which
 * keeps the pages small.
 * @param onServer the component on the server, from a `.server` file; undefined in the browser
 * @param load the browser's import
 */
export function onDemand<P extends object>(
  onServer: ComponentType<P> | undefined,
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  const Shown: ComponentType<P> = onServer ?? lazyOf(load);
  return function OnDemand(props: P) {
    return <Suspense>{createElement(Shown, props)}</Suspense>;
  };
}

/** React's type of a lazy component is narrower than what it accepts. */
function lazyOf<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Loaded = lazy(async () => ({ default: (await interruptions.wait(load())) as ComponentType<object> }));
  return (props: P) => createElement(Loaded, props);
}
