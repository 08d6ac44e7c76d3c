import { sitePaths } from "~/kernel/paths/site";
import type { NavItem, NavSection } from "./nav-link";

/** The links in the header and footer of public pages. */

export const PUBLIC_LINKS: readonly NavItem[] = [
  { label: "Home", to: sitePaths.home },
  { label: "Features", to: sitePaths.features },
  { label: "How It Works", to: sitePaths.howItWorks },
  { label: "Pricing", to: sitePaths.pricing },
  { label: "FAQ", to: sitePaths.faq },
  { label: "Contact", to: sitePaths.contact },
];

export const FOOTER_SECTIONS: readonly NavSection[] = [
  {
    title: "About us",
    items: [
      { label: "About", to: sitePaths.about },
      { label: "Careers", to: sitePaths.careers },
      { label: "Partners", to: sitePaths.partners },
      { label: "Contact", to: sitePaths.contact },
    ],
  },
  {
    title: "Learn",
    items: [
      { label: "Blog", to: sitePaths.blog },
      { label: "Resources", to: sitePaths.resources },
      { label: "Name matching", to: sitePaths.nameMatching },
      { label: "API", to: sitePaths.apiDocs },
      { label: "Help", to: sitePaths.help },
      { label: "Status", to: sitePaths.status },
      { label: "FAQ", to: sitePaths.faq },
    ],
  },
  {
    title: "Legal",
    items: [
      { label: "Terms", to: sitePaths.terms },
      { label: "Privacy", to: sitePaths.privacy },
      { label: "Security", to: sitePaths.security },
    ],
  },
];
