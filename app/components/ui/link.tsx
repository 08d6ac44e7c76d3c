import { type LinkProps, Link as RouterLink } from "@remix-run/react";

/**
 * A link to a page of ours. On the server it is drawn as the plain anchor it becomes: the router's own link asks ten hooks
 * for the same address, and a list has a hundred links. Addresses that need resolving are left to the router.
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
