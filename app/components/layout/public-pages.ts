import { FOOTER_SECTIONS, PUBLIC_LINKS } from "./public-navigation";

/** Every public page that a header or footer leads to, each once: what the site map lists. */
export const PUBLIC_PATHS: readonly string[] = [
  ...new Set([...PUBLIC_LINKS, ...FOOTER_SECTIONS.flatMap((section) => section.items)].map((item) => item.to)),
];
