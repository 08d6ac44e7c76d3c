import { type LinkProps, Link as RouterLink } from "@remix-run/react";

/**
 * A link to one of our pages. The server renders a plain anchor, because the router's own link uses ten hooks for the
 * same result and a list has a hundred links. Relative addresses are left to the router.
 */
export const Link = typeof document === "undefined" ? ServerLink : RouterLink;

function ServerLink(props: LinkProps) {
  const { to, discover = "render", prefetch: _p, relative: _r, replace: _e, state: _s, ...rest } = props;
  if (typeof to !== "string" || !/^\/(?!\/)/.test(to)) return <RouterLink {...props} />;
  const { reloadDocument = false, preventScrollReset: _c, viewTransition: _v, children, ...anchor } = rest;
  const isDiscovered = discover === "render" && !reloadDocument;
  return (
    <a {...anchor} href={to} data-discover={isDiscovered ? "true" : undefined}>
      {children}
    </a>
  );
}
