/** The source of each figure and fact; the numbers in the text link here. */
export const SOURCES = [
  {
    id: "nasc",
    text: "National Anti-Scam Centre: Australians better protected as reported scam losses fell by almost 26 per cent (2025), on the Targeting Scams report for 2024",
    href: "https://www.nasc.gov.au/news/australians-better-protected-as-reported-scam-losses-fell-by-almost-26-per-cent",
  },
  {
    id: "indue",
    text: "Indue: key findings of the Targeting Scams report 2024, by scam type",
    href: "https://www.indue.com.au/2025/08/06/targeting-scams-report-of-the-national-anti-scam-centre-on-scams-data-and-activity-2024",
  },
  {
    id: "asd",
    text: "Australian Signals Directorate: Annual Cyber Threat Report 2024-25",
    href: "https://www.cyber.gov.au/about-us/view-all-content/reports-and-statistics/annual-cyber-threat-report-2024-2025",
  },
  {
    id: "asd-2024",
    text: "Fortitech: figures of the Annual Cyber Threat Report 2023-24",
    href: "https://fortitech.com.au/blog/queensland-leads-the-nation-in-cyber-crime",
  },
  {
    id: "lavan",
    text: "Lavan: case note on Mobius Group Pty Ltd v Inoteq Pty Ltd [2024] WADC 114",
    href: "https://www.lavan.com.au/advice/commercial_corporate_litigation/Beware_of_Scams_Who_foots_the_bill_when_a_scammer_succeeds",
  },
  {
    id: "procopio",
    text: "Procopio Legal: who bears the loss when a scammer intercepts payment",
    href: "https://www.procopiolegal.com.au/post/who-bears-the-loss-when-a-scammer-intercepts-payment",
  },
  {
    id: "aba",
    text: "Australian Banking Association: launch of Confirmation of Payee, 2 July 2025",
    href: "https://www.ausbanking.org.au/?p=30746",
  },
  {
    id: "accc",
    text: "Broker News: the ACCC on false invoices and calling the business yourself (2024)",
    href: "https://brokernews.com.au/news/breaking-news/scammers-target-aussies-with-fake-invoices-284436.aspx",
  },
] as const;
