/**
 * What the public pages and the guide to the API say, each block of words with what proves it: tests or constants of
 * this project by a text in their file, or why no test can prove it. `claims.test.tsx` fails when a page says something
 * that is not here, or when the proof is gone.
 */

/**
 * Advice to the reader; a promise of the operator, which people keep; what others publish or do; a heading or an
 * invitation.
 */
type Unheld = "advice" | "promise" | "elsewhere" | "heading";

type Claims = { held: Unheld | readonly `${string} :: ${string}`[]; says: readonly string[] };

export const CLAIMS: readonly Claims[] = [
  {
    held: [
      "tests/routes/invoices.workers.test.ts :: an invoice that names the verified account is answered with it, masked",
      "tests/routes/invoices.workers.test.ts :: a different account from the payee's stops the invoice, and nothing of the payee is changed",
      "tests/routes/invoice-payments.workers.test.ts :: a payment is held while the invoice with its number or its amount is stopped, and after a person stopped it",
      "tests/routes/invoice-payments.workers.test.ts :: one press opens a verification of the new account, and the verified payee stays as it is",
      "app/modules/rules/invoices/invoice-rules.test.ts :: the organisation chooses each level, and nothing that was found is ever left out",
      "app/modules/messages/alerts/alerts.test.ts :: invoice_stopped",
    ],
    says: [
      "Choose Invoices and drop in the PDF, the email or the electronic invoice that the supplier sent, or choose the file. Each invoice is compared with your verified payees. An invoice that names a different account is stopped: your organisation is told, and payments with its number or its amount are held. Call the payee on a number you knew before, then accept or stop the invoice. Accepting it changes no payee. If the account is really new, verify it as a separate payee; the verified one stays as it is meanwhile. Administrators set what each rule does in the policies.",
      "Drop in an invoice to see whether its account is the one that was verified, before anyone types it.",
    ],
  },
  {
    held: [
      "tests/routes/invoice-mail.workers.test.ts :: a person's own email is read, and answered in one sentence with a link and without a bank number",
      "tests/routes/invoice-mail.workers.test.ts :: a supplier's email is kept and listed without an answer",
      "tests/routes/invoice-mail.workers.test.ts :: an address that an administrator names is answered, and no other of its domain",
      "tests/routes/invoice-mail.workers.test.ts :: whoever pretends to be one of the people is not answered, whatever their own headers say",
      "tests/routes/invoice-mail.workers.test.ts :: a message is taken once, also when it comes again by another way or twice at once",
      "tests/routes/invoice-mail.workers.test.ts :: bounces, automatic answers and our own addresses are kept and never answered",
      "tests/routes/invoice-mail.workers.test.ts :: an address that is unknown, replaced or switched off is refused, and nothing is kept",
      "app/modules/payments/invoices/mail-headers.test.ts :: all headers that the platform writes, in its order",
    ],
    says: [
      "Or forward the email: in the invoice settings, an administrator can switch on an address for your organisation, and replace it. Your people, and the addresses that an administrator names, get an answer with the payee’s name, the verdict and a link, never a bank number, if the check of their domain (DMARC) passed. What anybody else sends is listed too, but not answered.",
      "An email for an organisation’s invoices is accepted once. The sender counts as checked only if the server that received it says that the check of the sender’s domain (DMARC) passed. An answer holds the payee’s name, the verdict and a link, never a bank number, and automatic messages get no answer.",
    ],
  },
  {
    held: [
      "tests/routes/invoice-payments.workers.test.ts :: documents are removed when their time is over, and what was read stays",
      "app/modules/payments/invoices/invoice-settings.server.ts :: keptMonths: INVOICES_KEPT_MONTHS",
    ],
    says: [
      "Documents of invoices are removed after the time that the customer chooses: 18 months, unless they choose another. What was read from them, and what was decided, is kept like payments.",
      "The document as it came, and what was read from it: names, numbers, amounts and bank details, and who sent it. An email to the address that a customer has for invoices is such a document, whoever sent it.",
    ],
  },
  {
    held: [
      "app/modules/payments/payment-files/payment-file.server.ts :: secrets.seal",
      "app/http/responses.server.ts :: attachment; filename",
      "app/modules/payments/invoices/invoice.server.ts :: invoice.downloaded",
      "workers/reader/limits.ts :: ms",
      "app/modules/rules/invoices/invoice-rules.test.ts :: an account that is not certain is never the reason for the green verdict",
    ],
    says: [
      "Documents are encrypted with AES-256-GCM. They can only be saved as files: no page of ours displays them, and every download is in the audit trail.",
      "They are read by a separate program that has no database, no secrets and no network. A document that takes too much time or memory is not read any further.",
      "Text that a person cannot see never counts as read with certainty, and a picture without text is reported as unreadable, never as having no bank details.",
    ],
  },
  {
    held: [
      "app/modules/payments/held-payments.workers.test.ts :: what speaks against the account comes first, then the largest amount, then the oldest",
      "app/modules/payments/held-payments.workers.test.ts :: several are rejected for one reason, and what was decided meanwhile is said of itself",
      "app/modules/payments/payment-files/paying-account.workers.test.ts :: a file that names another account is not cleared until an administrator declares it, and everybody is told",
    ],
    says: [
      "Held payments where the account may be wrong come first, then the largest amounts. Read the reasons. Then approve the payment with a reason, reject it, or request additional verification. When it is complete, you decide: nothing is authorised automatically. You can reject several together, for one reason. A payment file that pays from an account your administrators have not declared is stopped until one of them declares it.",
    ],
  },
  {
    held: [
      "tests/e2e/supported-browsers.test.ts :: nothing in the styles is newer than the oldest of these browsers",
      "tests/e2e/supported-browsers.test.ts :: no script is written in a newer language",
    ],
    says: [
      "PayeeProof works in Chrome 129, Edge 129, Firefox 128, Safari 18 and newer, on computers, tablets and phones. It works with JavaScript switched off as well.",
    ],
  },
  {
    held: "heading",
    says: [
      "Know who you are paying, before you pay.",
      "Get StartedLearn More about how it works",
      "Six features that stop payments to the wrong account",
      "Four steps from an invoice to an authorised payment",
      "An email says that a supplier's bank details have changed",
      "The name on the invoice is not the name on the account",
      "The person who entered a payee also approves it",
      "The auditor asks who checked a payee, and when",
      "A real case: Mobius v Inoteq",
      "How long does a verification take?",
      "What happens when a payment is flagged?",
      "Our bank already checks account names. What does this add?",
      "What does it cost, and can we stop?",
      "Ask a question or request a demonstration",
      "Check your payees before the next pay run.",
      "Six features that help you pay the right account, and show that you checked.",
      "Two names. Are they the same account holder?",
      "Or look at one of these:",
      "A whitelist that is checked at every change",
      "Alerts go to the right people",
      "More than one step, more than one person",
      "A record that cannot be changed unnoticed",
      "Pay runs, imports and the health of your payees",
      "Accounting systems, an API and webhooks",
      "See it with your own payees.",
      "Start with your own payees.",
      "Try it with your own payees.",
      "If your question is not here, contact us. The help page explains how to use the product.",
      "How to do each task in PayeeProof, in the order you will need them.",
      "Ask the payee and their bank",
      "Change a payee's bank details or its name",
      "Check a pay run before it goes to the bank",
      "Read and export the audit trail",
      "See what was verified, held and decided",
      "If you are a payee and received a link",
      "How PayeeProof protects your data today, how you can check it, and what we do not claim.",
      "The audit trail, and how to check it",
      "Certificates, and how to check them",
      "Evidence packs, and how to check them",
      "PayeeProof is a payment-fraud prevention service for Australian businesses and organisations.",
      "Open positions, and how to recognise a false job offer in our name.",
      "False job offers in our name",
      "For accountants, bookkeepers, software companies and associations.",
      "The agreement between your organisation and the operator of PayeeProof.",
      "Law and changes to these terms",
      "What we hold, why, who else sees it, and which decisions a computer makes.",
      "Bank data and the Consumer Data Right",
      "Prepared by the program, made by a person",
      "Security and how long we keep it",
    ],
  },
  {
    held: [
      "app/modules/payments/record-payment.workers.test.ts :: a payment to a trusted payee is authorised",
      "app/modules/payments/own-limit.workers.test.ts :: a member who approves a payee does not pay it above their own limit, alone or with a colleague under the same limit",
      "app/components/marketing/hold-rules.test.ts :: the public list of rules is what holds a payment of a new organisation",
    ],
    says: [
      "PayeeProof checks every payee's BSB, account number and account name before a payment is authorised. It holds payments to changed or unverified details until a person decides, and keeps an audit trail.",
      "Every payment is compared with the payees you trust. A payment to a whitelisted payee is authorised unless a rule holds it. If the bank details change, the payee leaves the whitelist at once.",
      "It is held for review, and the page shows which rule held it and why. You then approve it with a reason, reject it, or request additional verification. A held payment is never authorised without a person's decision.",
      "A held payment lists each rule that held it, with the evidence.",
      "The person who decides gives a reason, which stays with the payment.",
      "Enter the payee or the account, the amount and your reference. The payment is authorised or held, and you see every reason. After the bank has paid, mark it as successful or failed. After 3 or more successful payments to unchanged details the payee is whitelisted automatically. Your policies can also require a minimum amount and a number of days. If they require a second person, a payment counts only if someone other than the person who recorded it reported its success. An approval limit covers all payments to one payee in a day, recorded one by one or in files. Approving a payee does not authorise a payment above your own limit.",
    ],
  },
  {
    held: [
      "app/modules/accounts/organizations/weaker-policies-wait.workers.test.ts :: any administrator cancels what waits, and nothing was weakened",
      "app/modules/accounts/organizations/weaker-policies-wait.workers.test.ts :: a second administrator puts it into effect at once; who asked for it cannot",
    ],
    says: [
      "Can also manage people, domains and policies. The other administrators, and the organisation’s confirmed address, are told about each such change, about payees that one person trusted alone and about exports. A change of policy that makes fraud easier waits 24 hours, unless you choose another time: any administrator can cancel it, and a second one can put it into effect at once.",
    ],
  },
  {
    held: ["app/modules/accounts/billing/subscription.test.ts :: an organisation in its own trial is live"],
    says: [
      "For Australian organisations. 14 days to try it, no card needed. Create an account",
      "14 days to try it, no card needed.",
      "You do not need to talk to us first. The trial is 14 days, no card needed.",
      "14 days, no card needed.",
      "Confirm your email address with the link we send you. The person who creates an organisation is its first administrator and has 14 days to try it, no card needed.",
      "A new organisation may try everything for 14 days without a card. After that new verifications, payments and bank checks need a subscription.",
    ],
  },
  {
    held: [
      "app/modules/payees/change-notices.workers.test.ts :: the old contact is told of the bank details",
      "tests/routes/former-contact.workers.test.ts :: everybody who decides is told that the contact was NOT told",
    ],
    says: [
      "When bank details change, every other member who can act is alerted, and a message goes to the payee's former contact. If that message cannot be delivered, the payee's page says so.",
      "With PayeeProof the changed account number takes the supplier off the whitelist, opens a verification and holds the payment. A message about the change goes to the supplier’s former contact. The payment stays on hold until a reviewer decides.",
      "A message also goes to the payee's former contact. If that message cannot be delivered, the payee's page says so.",
      "Edit the payee. The payee leaves the whitelist, a new verification opens and payments are held. Your colleagues are alerted, and a message goes to everyone who was a contact of the payee in the last 30 days. If a message was not delivered, the payee’s page says so, and why.",
      "When bank details change, a message goes to everyone who was a contact of the payee in the last 30 days, not only to the address on file now. These messages have limits of their own, so that nothing else uses them up. Where a message could not be delivered, the payee’s page, the answer of the API, the alert and the certificate say that the former contact was NOT told.",
      "To tell the people concerned when bank details change.",
    ],
  },
  {
    held: [
      "app/modules/verifying/bank-checks/compare-with-instant-answer.test.ts :: the three names stand for the three classes",
      "app/modules/verifying/bank-checks/withdrawn-consent.workers.test.ts :: with the documented answers a check finishes",
    ],
    says: [
      "The bank says at once whether the name fits the account, or the payee confirms the details and shares the account. A reviewer decides, and you can require a second person.",
      "The bank says at once whether the name fits the account, where Confirmation of Payee is switched on. Or the payee confirms the details through a link and, with their consent, their bank says who holds the account. You compare the two names and decide.",
      "The BSB, the account number and the account name. We compare them with your own whitelist, with what other organisations have confirmed about the account, and with what the payee's bank says. The bank is asked in one of two ways: at once by Confirmation of Payee, where it is switched on, which needs nothing from the payee; or through Basiq, with the payee's consent.",
      "Confirmation of Payee, where it is switched on, says while you wait whether the name fits the account. The payee has nothing to do.",
      "With their consent, their bank says who holds the account, through Basiq under the Consumer Data Right.",
      "Where Confirmation of Payee is switched on, a pending verification has the button Check with the bank now. The bank says whether the name belongs to the account: match, close match or no match. The payee gets no message.",
      "A bank may not reveal the name. “Could not check” means that there was no answer about the account, and says nothing about the payee.",
      "Open the verification and press Verify with Basiq. The payee gets a link that shows the details you hold and asks whether they are right. If they are, the payee can go on to their own bank’s consent page. We never see what they enter there.",
      "We check a payee’s BSB, account number and account name before a payment is authorised. We compare them with your own whitelist, with what other organisations have confirmed about the account, and with the answer from the payee’s bank. A flagged payment is held until a person decides, and every decision stays on record.",
      "“Could not check” is not “failed”. If a bank does not answer, we say so. It tells you nothing about the payee.",
    ],
  },
  {
    held: [
      "app/modules/core/audit/seals.workers.test.ts :: every row gets one seal, counted and chained per organisation",
      "app/modules/core/audit/seals.workers.test.ts :: an auditor can check the export with nothing but SHA-256",
    ],
    says: [
      "Who did what, when, from where and why. Each entry is sealed within minutes, so that a later change to it can be detected.",
      "Each entry is written in the same transaction as the change it describes, so there is no change without an entry. Database triggers refuse to update or delete an entry. Every few minutes new entries are sealed, one after the other, per organisation. Until then the trail shows an entry as “Not sealed yet”:",
      'hash = SHA-256(prevHash + "\\n" + canonical JSON of the entry)',
    ],
  },
  {
    held: [
      "app/modules/connections/sync.workers.test.ts :: a bank account changed in Xero: payments are held, all is told, and the payee keeps its details",
    ],
    says: [
      "You connect Xero and MYOB by signing in there. Your system can make the same checks through a JSON API, with the same rules, reasons and audit trail.",
      "Connect Xero or MYOB to read suppliers. Payments to a bank account that changes there are held, you are alerted, and a person decides.",
      "Changed in the accounting systemYour accounting system has a different bank account for the payee, and no person has decided which is right.",
    ],
  },
  {
    held: [
      "app/modules/payees/payee-health/health.workers.test.ts :: the report counts what is wrong, with what was paid, and lists it",
    ],
    says: [
      "See what is waiting, verified and held, and which payees need attention. Every held payment shows the rule that held it and the evidence.",
      "Pay runs, invoices, imports and a health report of your payees",
      "The health report lists what to work on: payees never verified, verified long ago, or with details that look wrong.",
      "Health of your payees, under Manage Payees, gives the whole list a score and lists what to work on, the most serious first: payees that were never verified, verified long ago, or have details that look wrong. Each list can be downloaded.",
    ],
  },
  {
    held: "advice",
    says: [
      "Enter the BSB, account number and account name as shown on the invoice.",
      "Please never send passwords, card numbers or a payee’s bank details through this form. We will not ask for them.",
      "Call the payee first, on a phone number you already had. The call-back script tells you what to ask. A new name has the same effect, because the bank details were confirmed under the old name, except that no message is sent. Different capitals have no effect.",
      "An organisation that pays you, or may pay you, asks whether the bank details it holds are yours. The email names the organisation. If you do not expect it, call them on a number you already know.",
      "If an error page does not say that nothing was changed, look at the page of the payee or payment before you try again. If the error continues, tell us what you did and what you saw. Please leave out bank details.",
      "You can send us an expression of interest through the contact form. Choose “Something else” and tell us what you would like to work on.",
      "Tell us which events you could send and what your users need to see. Choose “Integration” on the contact form.",
      "Enter only details of payees that you have a reason to pay, and may lawfully give to us.",
      "Use checks only to verify payees, not to find out who holds an account. Banks and data providers forbid that, and so do we.",
      "Do not test other people’s accounts, overload the service or bypass its limits.",
      "Tell us if you believe that another person has used one of your accounts.",
    ],
  },
  {
    held: [
      "app/modules/payees/verifications/evidence.workers.test.ts :: own payees with the same or a similar name",
      "app/modules/payees/add-payee.workers.test.ts :: an unusual account length is a warning in the evidence",
    ],
    says: [
      "Your whitelist answers while you wait. For a new payee you see the institution, similar payees and how many other organisations trust the account.",
      "Beside the result you see the BSB's institution, similar payees and unusual account numbers. The reviewer sees both names side by side with every difference marked.",
      "A verification opens with the payee. You see at once which institution the BSB belongs to, whether the account number has an unusual length, and whether you already have a payee like this. The same account cannot be added twice.",
    ],
  },
  {
    held: [
      "app/modules/payees/whitelist/promotion.test.ts :: a promoted payee has three payments and no reason against promotion",
    ],
    says: [
      "Each payment is authorised or held, with the reasons. After 3 or more successful payments a payee is whitelisted automatically.",
      "When a reviewer approves a verification, and automatically after 3 or more successful payments to unchanged details, as long as no payment to the payee is held or failed and the payee has not disputed the details. A payment that was checked here counts as successful when a person marks it, when the outcome of its payment file is recorded, or when Xero has reconciled it. Any change of BSB, account number or account name takes the payee off the whitelist until it has been checked again.",
      "A payee is whitelisted when a reviewer approves its verification, or after 3 or more successful payments to unchanged details.",
    ],
  },
  {
    held: "elsewhere",
    says: [
      "Without PayeeProof: The new numbers are entered, and the next payment goes to them.",
      "Without PayeeProof: The names are not compared before the payment is made.",
      "Without PayeeProof: The policy forbids it, but the software allows it.",
      "Without PayeeProof: You search through old emails.",
      "In 2022 an email from a supplier’s hacked mailbox gave new bank details. The customer paid two invoices to that account. In December 2024 a court ordered the customer to pay the supplier the money that was not recovered.",
      "Sources: case note on [2024] WADC 114. Australians reported $152.6 million lost to payment redirection in 2024 (National Anti-Scam Centre, by type of scam).",
      "Australian banks have offered Confirmation of Payee since mid-2025. Use it: it checks the name in the bank's screen, for the person who is paying, when they pay. PayeeProof works earlier. It checks changes to your supplier records, holds payments after a change, involves a second person, and keeps a sealed record of who checked what.",
      "On Cloudflare Workers with a Cloudflare D1 database. Cloudflare’s network is global and requests may be handled outside Australia. We do not promise that data never leaves the country; the privacy policy says who handles it.",
      "In payment redirection fraud an organisation pays a real invoice to the wrong account. A criminal who can read or imitate a supplier’s email sends new bank details, an employee updates the supplier’s record, and the next payment goes to the criminal.",
      "The mistake is made when the record is changed, often weeks before the payment. PayeeProof checks the details at that moment, and again before each payment.",
      "PayeeProof (“we”) handles personal information under the Privacy Act 1988 (Cth) and the Australian Privacy Principles (APPs). This policy says what we hold, why, who else sees it, which decisions a computer makes, and what you can ask of us.",
      "Cloudflare: hosting, database and queues.",
      "Basiq: consent and bank account data (see below).",
      "An email and a text message provider: the messages we send.",
      "A card payment provider: subscriptions. Card numbers go to it and not to us.",
      "Cloudflare’s network is global, and our email, text message and card providers may handle data in the United States and elsewhere. We choose suppliers whose contracts require protection comparable to the APPs (APP 8).",
      "If you refuse, the organisation has to verify your details another way. There is no other effect. A copy of Basiq’s own CDR policy is on its website.",
      "APPs 1.7 to 1.9, which apply from 10 December 2026, ask us to say where a computer program decides, or does something directly related to deciding, about matters that can significantly affect a person. A payment that is held late can be such a matter.",
    ],
  },
  {
    held: [
      "app/components/marketing/hold-rules.test.ts :: the public list of rules is what holds a payment of a new organisation",
    ],
    says: [
      "With PayeeProof: The payee leaves the whitelist. Payments are held until the change has been reviewed.",
      "With PayeeProof: Both names are shown side by side with the differences marked.",
      "PayeeProof compares the details you were given with details that were already confirmed, and shows every difference.",
      "24 rules hold payments from the first day. Any one of them holds the payment and says why. Other rules warn. You can change all but two of them to a warning or turn them off.",
      "No payee for the billA list of bills names a supplier that is not exactly one of your payees.",
      "Disputed by the payeeThe payee said that the details are not theirs.",
      "Contradicted by the bankA bank answered that the account has a different name, is closed or does not exist.",
      "Another payee's former accountThe account belonged to another payee until that payee's bank details changed, or belongs to an archived payee.",
      "Bank details or name changedA bank detail or the payee's name changed and the change has not been reviewed.",
      "Not the account on the invoiceAn invoice that you checked names a different account, or has a finding that stops it and that nobody has decided.",
      "Another supplier's billThe payment has the number of an approved bill in Xero or MYOB, from a supplier with a different account.",
      "Contact and bank details both changedThe email or phone and the bank details changed within the same 30 days.",
      "Several edits in a dayThe payee was edited three or more times in 24 hours.",
      "Moved to a payment companyThe account moved from a bank to a payment company.",
      "Payee not verifiedThe payee is neither whitelisted nor verified for these details.",
      "One person aloneThe bank details came from your accounting system, it is not known who entered them there, and the person who approved them also records the payment. This rule depends on your second-person policy and cannot be turned off separately.",
      "Above the limits of the people involvedThe people who approved the payee and recorded the payment may approve less than this amount to one payee in a day. This rule depends on your approval limits and cannot be turned off separately.",
      "Known name, unknown accountThe name is one of your payees' names, but the account is not theirs.",
      "Names do not matchThe name given with the payment is not exactly the payee's.",
      "One account, two namesA payment file also pays the same account under a different name.",
      "Account of your own staffThe account is on a list of your staff's accounts that you have loaded.",
      "Look-alike email domainThe payee's email domain is easily mistaken for its former one, another payee's or your own.",
      "BSB not usableThe BSB is unknown, closed or merged, or does not accept direct entry payments.",
      "Possible duplicateThe same payee, amount and reference within 30 days.",
      "Perhaps already paidThe same account and amount as a payment whose record we lost because we had to restore our database from a copy.",
      "Not the approved amountXero or MYOB has approved bills from the payee, but the amount matches neither one of them nor their sum.",
      "Large first paymentThe first payment to this payee is above a limit that you set (A$10,000 by default).",
    ],
  },
  {
    held: [
      "app/modules/payments/decide-payment.workers.test.ts :: where a second person is required the recorder may not approve",
      "app/modules/payees/second-person.test.ts :: who added the payee entered what was never changed",
    ],
    says: [
      "With PayeeProof: If you require a second person, PayeeProof refuses it.",
      "If your organisation requires a second person, the person who requested the verification or edited the payee cannot approve it.",
    ],
  },
  {
    held: [
      "app/modules/core/audit/seals.workers.test.ts :: an auditor can check the export with nothing but SHA-256",
      "app/modules/core/audit/seals.workers.test.ts :: an end that was cut off is found with an anchor kept elsewhere",
    ],
    says: [
      "With PayeeProof: You export a sealed audit trail.",
      "Export the audit trail and check the seals yourself, with our tools or your own.",
      "Every payee and verification shows its own history, and a decided verification has a certificate to print or to download as a PDF. The audit trail describes each action in a sentence. Narrow it to a payee with its verifications and payments, a person, an area, an action or a range of days, and download the result as a table or as JSON lines, or the whole trail with its seals. People with read-only access can download all of this too, and check it; only administrators see whole email addresses. Administrators who choose it under Alerts get the newest seal by email every day. What the seals prove and how to check them is on the security page.",
      "The first prevHash is 64 zeros; canonical means keys sorted, no spaces, null for what is absent, without hash, prevHash, emailSalt and masked. In place of an email address stands its first letter and its domain, # and the SHA-256 of emailSalt, a line end and the address: administrators get address and salt, others what was sealed. Entries marked masked are older. Export the trail from /api/audit/export.ndjson and compute the hashes yourself; keep the last hash and its number somewhere else, and /api/audit/verify tells you later whether the trail still contains it.",
    ],
  },
  {
    held: [
      "app/kernel/limits.ts :: STATED_LIMITS",
      "app/modules/messages/notifications/outside-messages.workers.test.ts :: whoever complains slows it down",
    ],
    says: [
      "Unlimited payment verificationsmessages and questions to banks have the daily limits on the pricing page",
      "Messages to people outside your organisation: 500 in 24 hours during the trial, 2,000 with a card on file. None is sent before an administrator has confirmed their email address. Warnings of changed bank details do not count.",
      "If people report a message as unwanted or a fraud, the limit falls to 100, and to 20 from 3 reports in 30 days.",
      "Messages to one address or number: 10 in 24 hours from one organisation, 30 from all together.",
      "Links about one verification: 10 in an hour.",
      "You may have any number of people, payees, verifications and payments. These limits keep the service from being misused against people outside it:",
    ],
  },
  {
    held: [
      "app/modules/connections/bills.workers.test.ts :: a payment that Xero has reconciled is the outcome of the one recorded here",
      "app/modules/connections/sync.workers.test.ts :: a bank account changed in Xero: payments are held, all is told, and the payee keeps its details",
    ],
    says: [
      "Accounting integrationsuppliers and approved bills of Xero and MYOB; payments of Xero",
      "A payment whose account or amount is not that of the approved bill is held. A payment that Xero has reconciled is marked successful automatically.",
      "Under Settings, Integrations, an administrator connects Xero or MYOB. Suppliers and approved bills are read from both, and payments from Xero. When a supplier’s bank account changes there, payments to the payee are held and a person decides which account is right. A payment whose account or amount is not that of the approved bill is held too. Your own system can use the API and receive webhooks.",
    ],
  },
  {
    held: [
      "app/modules/verifying/bank-checks/compare-with-instant-answer.test.ts :: the three names stand for the three classes",
      "app/modules/payments/record-payment.workers.test.ts :: a payment to a trusted payee is authorised",
    ],
    says: [
      "A payee on your whitelist is checked while you wait. Confirmation of Payee, where it is switched on, answers while you wait too. A payee who confirms through a link and their bank can take as long as they need: the link works for 7 days.",
    ],
  },
  {
    held: [
      "app/modules/accounts/billing/billing.test.ts :: GST is an eleventh of the price",
      "app/kernel/limits.ts :: STATED_LIMITS",
    ],
    says: [
      "One plan: A$500.00 per month including GST, for any number of people, payees and verifications. Daily limits against misuse are on the pricing page. A new organisation has 14 days to try it, with no card needed. You can cancel at any time. The service runs to the end of the period you paid for, and you can still read and export your records afterwards.",
      "The price is the same for any number of people, payees and payments. We charge nothing per check; where a bank data provider charges for a bulk check, the page says how much before you start.",
      "The plan costs A$500.00 per month including GST, charged in advance for each month.",
    ],
  },
  {
    held: "promise",
    says: [
      "We read every message and answer by email or phone.",
      "We answer every message.",
      "We hold no ISO 27001 or SOC 2 certificate. If that changes, this page will say so with a date.",
      "Write to us through the contact form or as security.txt says. Tell us how to reproduce it, do not access other people’s data, and give us time to fix it before you publish. We answer every report and take no legal action against people who act in good faith.",
      "We are not a bank. We do not hold or move money, and we do not guarantee that a payee is honest. We tell you whether the details you are about to pay have been confirmed, and by whom.",
      "There are no open positions at the moment. New positions are published on this page, with the salary.",
      "We finish small pieces of work: tested, documented and easy to read.",
      "We write down our decisions and the reasons for them.",
      "We never ask an applicant for money, for bank details before a contract, or to receive and forward payments. A job offer that asks for any of these is not from us. Please report it to Scamwatch and tell us.",
      "The checklist and call-back script are free to print and share, with or without our product. If you train finance staff and would like us to contribute, please contact us.",
      "We have no reseller scheme and pay no commission. If that changes, this page will state the terms.",
      "These terms are between the organisation that uses PayeeProof (“you”) and the operator of PayeeProof (“we”). The person who registers an organisation confirms that they may agree to these terms on its behalf. An order or contract signed by both of us takes precedence over these terms.",
      "PayeeProof compares the bank details of payees with other sources, holds recorded payments according to rules, and keeps a record. It does not hold or move money and is not a payment service. A check shows what a source said at a point in time. It does not guarantee that a payee is honest or that an account will stay open. You decide whether to pay.",
      "Each person has their own account and must keep the password secret. Your administrators decide who belongs to your organisation and remove people who leave. You are responsible for what is done with your people’s accounts, unless we caused it.",
      "We tell you about a new price at least 30 days before it applies, so that you can cancel first.",
      "We work to keep the service running, but do not promise that it is never interrupted. We may change the service and will tell you before we remove something you rely on. We may suspend an account that endangers others, and will tell you why.",
      "Nothing in these terms excludes, restricts or changes a guarantee, right or remedy that the Australian Consumer Law or another law gives you and that cannot be excluded.",
      "Beyond that, and as far as the law allows, neither of us is liable to the other for indirect loss, and our liability for everything that arises in a year is limited to what you paid us in that year. Where the law lets us choose the remedy for a service, it is supplying the service again or paying for that.",
      "The law of the Australian state or territory in which we have our registered office applies, and its courts decide. When these terms change we tell your admins at least 30 days before, and you may cancel instead of accepting.",
      "To check that the bank details of a payee are the payee’s, and to hold payments that look wrong.",
      "To keep a record that customers and their auditors can rely on.",
      "To run accounts and subscriptions, answer messages, and keep the service secure.",
      "We do not sell personal information, and we do not use it for advertising.",
      "If a breach is likely to cause serious harm we tell the people concerned and the Office of the Australian Information Commissioner, as the Notifiable Data Breaches scheme requires.",
      "You may ask what we hold about you, have it corrected, and complain (APPs 12 and 13). Write to us; we answer within 30 days and charge nothing. If you are a payee, the organisation that pays you can correct your details at once. You may write without giving your name, but we cannot give access to a person we cannot identify.",
      "If our answer does not satisfy you, the Office of the Australian Information Commissioner can look into it: oaic.gov.au.",
      "When this policy changes, the date at the top changes with it, and customers are told by email.",
      "Premium support",
    ],
  },
  {
    held: [
      "tests/routes/name-match.workers.test.ts :: two names are compared, with score, class, badge and what differs",
    ],
    says: [
      "This is the matcher that reviewers use. What you type is compared and forgotten: it is not stored or logged.",
    ],
  },
  {
    held: [
      "app/modules/payees/change-notices.workers.test.ts :: the old contact is told of the bank details",
      "app/components/marketing/hold-rules.test.ts :: the public list of rules is what holds a payment of a new organisation",
    ],
    says: ["If one digit changes, the payee leaves the whitelist, a verification opens and payments are held."],
  },
  {
    held: [
      "app/modules/payees/add-payee.workers.test.ts :: verifies at once what three others trust under the same name",
    ],
    says: [
      "You see how many other organisations trust the same account and whether the name matches. You never see who they are.",
      "When organisations vouch for an account, others see how many and whether the name matches. They never see who, or the name itself.",
      "The customer who asked for a check sees its result. Other customers see, for an account they themselves enter, how many organisations vouch for it and whether the name they typed agrees. They never see who, or a name they did not type. These suppliers handle data for us, each only for its part:",
    ],
  },
  {
    held: [
      "app/modules/messages/alerts/alerts.test.ts :: a changed role is told to the person it is about",
      "app/modules/messages/alerts/alerts.workers.test.ts :: quiet hours delay the email, not the alert in the app",
    ],
    says: [
      "When bank details change, every member who can act is alerted, except the person who made the change. Each chooses email, a text message or a daily summary.",
      "Alerts, behind the bell, show what concerns you; you get none about your own actions. In your profile you choose email, a text message or a daily summary at 7 am for each event, and your quiet hours. Some alerts cannot be switched off by anyone, such as the first payment to bank details that came from Xero or MYOB.",
      "Email and SMS alerts",
    ],
  },
  {
    held: [
      "app/modules/payments/payment-files/account-evidence.workers.test.ts :: disputed details are decided one by one",
      "tests/routes/verify.workers.test.ts :: of many answers at once exactly one counts",
    ],
    says: [
      "If a payee answers “These are not my details”, every payment to them is held at once.",
      "Or the payee confirms the details on a page that names your organisation and asks for no password.",
      "Opening the link changes nothing. “Yes, these are my details” confirms them. “These are not my details” tells the organisation at once and holds your payments until it has contacted you. We never ask for a password, a card number or a code.",
    ],
  },
  {
    held: ["app/modules/name-match/mark-name.test.ts :: a letter that only the bank has is marked there"],
    says: [
      "You see both names side by side, a score, and a sentence for each difference. A reviewer decides.",
      "A person decides. A match score is evidence. It is shown with its reasons, and a reviewer makes the decision.",
    ],
  },
  {
    held: ["tests/writes.test.ts :: runCommand"],
    says: ["Every change to payees, payments, people or settings is recorded together with the change itself."],
  },
  {
    held: [
      "app/modules/core/audit/seals.workers.test.ts :: INSERT OR REPLACE of an entry, by its position or its id, is refused",
      "app/modules/core/audit/seals.workers.test.ts :: every row gets one seal, counted and chained per organisation",
    ],
    says: [
      "The database refuses to change or delete an entry. Each is sealed with SHA-256 over its content and the seal before it.",
    ],
  },
  {
    held: [
      "app/modules/records/certificates/certificate-pdf.test.ts :: the PDF holds the very text that the hash is computed from",
      "app/modules/records/certificates/certificate.test.ts :: the text of a certificate has one spelling",
    ],
    says: [
      "A decided verification has a certificate, on paper and as a PDF, that anyone who holds it can check.",
      "Its hash is SHA-256 over canonical JSON of its facts, written as in the audit trail. The PDF carries that text as a file, certificate.json. A person who holds the record id and the hash learns on the page to check a record whether it is genuine and unaltered, how it ended and how it was verified, and nothing else.",
    ],
  },
  {
    held: [
      "app/modules/payments/payment-files/upload-file.workers.test.ts :: each line is judged: a trusted payee is authorised",
      "app/modules/payments/payment-files/clear-file.workers.test.ts :: the cleared file has only the authorised lines, byte for byte",
    ],
    says: [
      "Upload the ABA or CSV file of a pay run before it goes to the bank. Every line is checked. Flagged lines wait for a decision, and the cleared file holds only payments that passed or were approved.",
      "Choose Payment files and upload the ABA or CSV file that your accounting system made, or paste the payments. Nothing is sent to your bank.",
      "Every line is checked by the same rules as a single payment. Lines that no rule holds are ready. The others wait, with their reasons; questions about the account itself are decided line by line.",
      "Clear the file and upload the cleared file to your bank: it has only the lines that were authorised. Clearing checks them again.",
      "When the bank has paid, record the outcome of the whole file with its exceptions, or upload the bank’s file of returned payments.",
    ],
  },
  {
    held: ["app/modules/payees/imports/run-import.workers.test.ts :: each row is added as a form would add it"],
    says: [
      "Import payees from Xero, MYOB or a table. You see what would happen before anything is added, and a file never changes bank details.",
      "Choose Manage Payees, then Import payees: contacts exported from Xero, cards exported from MYOB, or any table with names, BSBs and account numbers. You see what would happen, row by row, before anything is added. A file never changes the bank details of a payee that you have.",
    ],
  },
  {
    held: ["tests/routes/payee-requests.workers.test.ts :: the details become a draft with its verification"],
    says: [
      "New suppliers send their bank details through a form, never by email.",
      "To get bank details from a new supplier, choose Ask a payee for their details. The supplier types them into a form, so that they do not travel by email. Payments to them are held until a person decides.",
    ],
  },
  {
    held: ["tests/api/contract.workers.test.ts :: CALLS"],
    says: [
      "The JSON API covers payees, verifications, payments, whole pay runs and the audit trail. Each call is described with examples.",
      "Each answer carries the decision and every reason as data, so that your system can show them.",
      "If your product holds supplier records or makes payment runs, it can check payees before it pays. The JSON API answers with a decision and its reasons, and calls can be repeated safely.",
    ],
  },
  {
    held: ["app/modules/payees/add-payee.workers.test.ts :: the same key is answered with the first payee"],
    says: ["A call repeated with the same idempotency key is never recorded twice."],
  },
  {
    held: [
      "app/modules/messages/webhook-endpoints/webhooks.workers.test.ts :: what happens is sent once to each endpoint that chose it, signed",
    ],
    says: [
      "Webhooks tell your system about changed bank details, results and payments as they happen. Each is signed, and tried again for three days.",
    ],
  },
  {
    held: ["app/modules/payees/payee-list.workers.test.ts :: filters show whitelisted, awaiting and disputed payees"],
    says: [
      "The dashboard shows how many verifications are pending, payees whitelisted and payments held.",
      "Choose Manage Payees, then Verify a payee. The name, BSB, account number and account name are required. An email address or mobile number lets the payee confirm them. You can enter a BSB as 062-000, 062 000 or 062000.",
      "Payee Verification lists what needs a decision, the most serious first. Pending verifications, below it, can be searched by name, BSB or account number, and filtered by Exact, Fuzzy or No match. A fuzzy name match needs manual review, to tell a typing error from fraud.",
    ],
  },
  {
    held: ["app/modules/records/reports/report-counts.workers.test.ts :: the summary of a month is written once"],
    says: [
      "Reports show what was verified, held, rejected and decided, with a CSV file of each.",
      "Reports, under Records, show how verifications ended and how long they took, what banks answered, which rules flagged payments, how much money was held and rejected, who decided what, and the calls to payees. Choose the days; each report has a chart, a table and a CSV file. Administrators can choose a summary of each month in their alert settings.",
    ],
  },
  {
    held: [
      "app/kernel/limits.ts :: STATED_LIMITS",
      "app/modules/verifying/bank-checks/instant-check.workers.test.ts :: no more answers than the limit of unconfirmed names",
    ],
    says: [
      "Questions to banks that answer at once: 300 in 24 hours during the trial, 2,000 with a card on file; at most 10 and 40 of the answers may be that the bank does not confirm the name.",
    ],
  },
  {
    held: ["app/modules/accounts/identity/registration.schema.test.ts :: a password is told every rule it breaks"],
    says: [
      "Choose Get Started, then the Register tab, and enter your work email, name and a password of at least 8 characters with an uppercase and a lowercase letter, a number and a special character.",
    ],
  },
  {
    held: [
      "app/modules/accounts/identity/confirmation.workers.test.ts :: someone who joins is approved by a confirmed address in a domain that the organisation trusts",
    ],
    says: [
      "If your organisation already uses PayeeProof under your email domain, you can ask to join it. Otherwise create it. Only the name is required; you can add the ABN later.",
      "After you confirm your email address, an administrator approves your request, unless your organisation approves all people with its email domain automatically. If several organisations match your domain, you choose yours after you sign in. Until you are approved you can sign in and see the state of your request.",
    ],
  },
  {
    held: [
      "app/modules/verifying/bank-checks/withdrawn-consent.workers.test.ts :: with the documented answers a check finishes",
      "app/kernel/limits.ts :: STATED_LIMITS",
    ],
    says: [
      "The answer appears beside what you entered, with each difference marked and a score. The link works for 7 days. Earlier links still work, until one goes to a changed email or phone.",
    ],
  },
  {
    held: [
      "app/modules/verifying/bulk-checks/bulk-check.workers.test.ts :: payees are counted first, with cost and time",
    ],
    says: [
      "To check many payees at once, choose them in the list and press Check payees in bulk. Before anyone is asked, you see how many payees there are, what the checks cost and how long they take.",
    ],
  },
  {
    held: ["app/modules/payees/verifications/grade.test.ts :: only what is verified has a grade"],
    says: [
      "If you approve, the payee is verified and whitelisted. You can also vouch for the account to other organisations. If you reject, give a reason. If two people decide at the same time, the first decision counts and the other person is told who made it.",
      "Beside Verified you see how: confirmed by the bank, called back, or approved by a person. An approval without a check is marked “no bank was asked”, on its certificate too.",
    ],
  },
  {
    held: [
      "tests/routes/accounting-own-work.workers.test.ts :: the clerk has another name in Xero, approves and pays alone: the payment waits for another person",
    ],
    says: [
      "Bank details that come from Xero or MYOB count as entered by the person who edited the supplier there, if the system names that person, and by the person who connected the system. If it is not known who edited the supplier, the person who approves the payee cannot also pay it alone: a payment that they record waits for someone else.",
    ],
  },
  {
    held: [
      "app/modules/payments/payment-files/clear-file.workers.test.ts :: the cleared file has only the authorised lines, byte for byte",
    ],
    says: ["To prove that a file for the bank is the one that was cleared, byte for byte, upload it again."],
  },
  {
    held: ["tests/authorisation/authorisation.workers.test.ts :: every endpoint has a row, and every row an endpoint"],
    says: [
      "Can view everything in the organisation but cannot change anything. People who join by an email domain without approval begin here.",
      "Can also manage payees, verifications, payments and the subscription.",
      "Your role and organisation are read from the database on every request, never from the cookie.",
      "Your client stays the owner of the account and can see everything you did in their audit trail.",
      "Name, work email, a password hash, role and organisation, sessions, and what they do in the product with time, IP address and browser.",
      "Name, account name, BSB, account number, and where given ABN, email, phone and address; the result of checks; payments recorded to them; and what they answered on our link. Some payees are individuals or sole traders, so we treat all of it as personal information.",
      "Unlimited users per organisation",
    ],
  },
  {
    held: ["tests/claims.test.tsx :: every claim on a public page is in the list"],
    says: [
      "A check of every release fails if a statement here has no test behind it",
      "You can check what we claim. The security page explains how.",
    ],
  },
  {
    held: [
      "app/adapters/passwords/scrypt.test.ts :: a password is verified against its hash, and a hash of another cost asks for a new one",
    ],
    says: [
      "Passwords are kept as scrypt hashes (N=16384, r=8, p=5) with a separate salt for each. We cannot read them.",
    ],
  },
  {
    held: [
      "app/modules/accounts/identity/sign-in.commands.workers.test.ts :: after 10 failures the account rests for what is left of 15 minutes",
    ],
    says: [
      "After ten failed sign-ins in fifteen minutes an account is locked for a while. Each IP address has a limit too.",
    ],
  },
  {
    held: ["app/modules/accounts/identity/two-step.workers.test.ts :: a recovery code comes in once"],
    says: [
      "Two-step sign-in with an authenticator app is available to all people, with recovery codes. An organisation can require it.",
    ],
  },
  {
    held: [
      "app/modules/accounts/identity/passkeys.workers.test.ts :: signs in without the password, and counts as both steps",
      "app/modules/accounts/identity/passkeys.workers.test.ts :: opens nothing",
      "app/modules/accounts/identity/passkeys.workers.test.ts :: adding needs the password, and the code of people with two-step sign-in",
      "app/modules/accounts/identity/passkeys.workers.test.ts :: removing needs the proof",
    ],
    says: [
      "Passkeys sign in with the fingerprint, face or PIN of a device, and count as both steps. They work at our address only. We keep the public key. Adding or removing one asks for the password, and for a code from people with two-step sign-in.",
    ],
  },
  {
    held: [
      "tests/e2e/passkeys.test.ts :: a person adds a passkey, signs in with it, and removes it",
      "app/modules/accounts/identity/passkeys.workers.test.ts :: who loses every passkey comes in with the password and the second step",
    ],
    says: [
      "Open My Account, then Profile and Passkeys, type your password and confirm on your device. Next time, choose Sign in with a passkey, or the passkey that your browser offers in the field for your email. If you lose your device, sign in with your password and remove the passkey. Passkeys need JavaScript; the password does not.",
    ],
  },
  {
    held: [
      "app/modules/accounts/identity/passkeys-required.workers.test.ts :: from the day on people without a passkey decide nothing",
      "app/modules/accounts/identity/passkeys-required.workers.test.ts :: a session that came without the passkey adds none, turns nothing off and makes no token",
      "app/modules/accounts/identity/thieves.workers.test.ts :: it signs nothing for a day, and the others are told",
      "app/modules/accounts/identity/thieves.workers.test.ts :: a thief's new key decides nothing either",
    ],
    says: [
      "An organisation can require passkeys of the people who decide, after a number of days. After that, a session that began with a password cannot decide or pay, and cannot add a passkey for people who have one; people who have lost theirs use a recovery code. A passkey that was added without an older one can decide and sign only a day later: the person and the administrators are told first.",
    ],
  },
  {
    held: [
      "app/modules/payments/signed-decisions.workers.test.ts :: the challenge is the digest of what the page showed",
      "app/modules/payments/signed-decisions.workers.test.ts :: what was changed meanwhile is refused with what changed",
      "app/modules/payments/signed-decisions.workers.test.ts :: an attacker's answers approve nothing",
      "app/modules/payments/signed-decisions.workers.test.ts :: a file is cleared with one signature over its bytes and its payments",
      "app/modules/payments/signed-decisions.workers.test.ts :: policies are changed with a signature over each change",
      "app/modules/payments/signed-decisions.workers.test.ts :: calls can bring nothing",
      "app/modules/accounts/identity/thieves.workers.test.ts :: makes nobody an approver where roles are signed",
    ],
    says: [
      "An organisation can require the approver's passkey to sign a decision: payments above an amount, clearing a payment file, a change of policies, giving a role. What is signed is the digest of what the page showed. A decision about anything else, or made after something changed, is refused, and no API token can make one.",
    ],
  },
  {
    held: [
      "tests/e2e/passkeys.test.ts :: an approver clears a file with one press on a phone",
      "app/modules/payments/signed-decisions.workers.test.ts :: what was changed meanwhile is refused with what changed",
    ],
    says: [
      "Where your organisation requires it, the page shows what your passkey signs: the payee, the account and the amount, or the payment file with its total. Press Approve with passkey, and confirm with your finger, face or PIN. If something has changed since, the page says what, and nothing is decided. Without JavaScript or a passkey, another approver has to decide.",
    ],
  },
  {
    held: [
      "app/modules/accounts/identity/sign-in.commands.workers.test.ts :: an unknown account, a wrong password and an inactive person are refused alike",
    ],
    says: ["An unknown account and a wrong password get the same answer after the same time."],
  },
  {
    held: [
      "app/modules/accounts/identity/passkeys-required.workers.test.ts :: a session ends after the minutes that the organisation sets",
      "tests/conformance/openid/openid.test.ts :: a person signs in, with the client's secret %s, and the rest is asked for with the access token",
      "app/modules/accounts/single-sign-on/company-sign-in.workers.test.ts :: a provider's answer that is %s signs nobody in, makes no account, and stands in the trail",
      "app/modules/accounts/single-sign-on/company-sign-in.workers.test.ts :: a domain that another organisation has claimed too links nobody new, and lets in who is linked",
      "app/modules/accounts/single-sign-on/company-sign-in.workers.test.ts :: once its DNS names the organisation, that changes nothing",
      "app/modules/accounts/single-sign-on/company-sign-in.workers.test.ts :: an account that was there is not opened before its password was given once",
      "app/modules/accounts/single-sign-on/company-sign-in.workers.test.ts :: its session is good here only",
      "app/modules/accounts/single-sign-on/company-sign-in.workers.test.ts :: a session ends an hour after the provider's answer",
    ],
    says: [
      "An organisation can allow or require its people to sign in with its own provider, by OpenID Connect. An account is opened only for an address that the provider calls verified, in a domain that no other organisation has claimed, or whose DNS names this organisation. A person who already has an account enters its password once. Such a session works for that organisation only, and ends an hour after the provider's answer unless the provider confirms it again.",
    ],
  },
  {
    held: [
      "tests/routes/scim.workers.test.ts :: and ends their access: sessions and tokens with it",
      "tests/routes/scim.workers.test.ts :: DELETE ends the access and deletes nothing",
    ],
    says: [
      "An organisation's directory can end the access of people who leave, by SCIM 2.0: their sessions and API tokens end at once. Nobody is deleted, and the audit trail stays whole.",
    ],
  },
  {
    held: [
      "tests/e2e/single-sign-on.test.ts :: an administrator sets the company's sign-in up",
      "app/modules/accounts/single-sign-on/company-sign-in.workers.test.ts :: it is required of nobody before it was tested, nor without two administrators with a password of their own",
    ],
    says: [
      "On the login page choose Sign in with your company and enter your work email. If you already have an account, you enter its password once. Administrators set this up under Settings, then Single sign-on: register PayeeProof with the provider, save the issuer, client id and secret, test it, and choose whether people can or must use it. Name two administrators who can sign in without the provider when it is down.",
    ],
  },
  {
    held: [
      "app/modules/accounts/identity/sign-in.commands.workers.test.ts :: the token in the cookie stands nowhere in the database",
    ],
    says: [
      "A session is a random secret of 256 bits in a cookie that scripts cannot read. We store only its digest. It ends after 12 hours without use, or earlier where the organisation says so, and after 7 days in any case.",
      "Provider credentials and messages waiting to be sent are encrypted with AES-256-GCM. A message is wiped once sent, and a week after it could not be sent.",
    ],
  },
  {
    held: [
      "tests/support/query-watch.ts :: not bound to an organisation",
      "tests/authorisation/authorisation.workers.test.ts :: every endpoint has a row, and every row an endpoint",
    ],
    says: [
      "Every query is limited to the organisation of the signed-in person. A record of another organisation gets the same answer as one that does not exist.",
    ],
  },
  {
    held: ["db/migrations.test.ts :: toHaveLength(config.foreignKeys.length)"],
    says: ["Foreign keys include the organisation, so that the database refuses a mistake in our code."],
  },
  {
    held: [
      "app/kernel/account-number.test.ts :: the length and the last three digits, or two of a short number, are all that can be seen",
      "tests/routes/payee-reveals.workers.test.ts :: %s leaves an entry of the reveal",
    ],
    says: [
      "Lists, their JSON, emails and the audit trail show only the last three digits of an account number, or the last two of a number under six digits. When a person is shown the full number, on a page, in an edit form, through the API or in a downloaded file, the audit trail records it, once for each quarter of an hour.",
    ],
  },
  {
    held: [
      "app/kernel/account-number.test.ts :: the length and the last three digits, or two of a short number, are all that can be seen",
    ],
    says: [
      "Account numbers are never part of a web address and are masked in our logs.",
      "To recognise the same account we keep keyed digests (HMAC-SHA-256). Without the key, the account number cannot be found by trying every number.",
    ],
  },
  {
    held: [
      "tests/routes/verify.workers.test.ts :: of many answers at once exactly one counts",
      "app/modules/payees/change-notices.workers.test.ts :: the old contact is told of the bank details",
    ],
    says: [
      "A link carries 256 random bits, works for 7 days, and is stored only as a digest. Opening it changes nothing, because email scanners open links too. Only the buttons on the page change something. When the payee’s email or phone changes, the next link ends those that went to the former one.",
    ],
  },
  {
    held: [
      "tests/routes/unconfirmed-admin.workers.test.ts :: every page that offers a check or a message says before its form what is missing",
      "app/modules/messages/notifications/outside-messages.workers.test.ts :: whoever complains slows it down",
    ],
    says: [
      "Nothing is sent to people outside an organisation before one of its administrators has confirmed their email address. The number of messages in a day is limited for each organisation and each recipient, and falls after complaints; the limits are published.",
    ],
  },
  {
    held: [
      "app/modules/messages/notifications/outside-messages.workers.test.ts :: who was sent a message reports it by its link, once",
    ],
    says: ["Every email and text message to a payee or an invited person carries a link to report it."],
  },
  {
    held: ["app/kernel/institution-names.test.ts :: PayeeProof"],
    says: ["Names that hold a web address or resemble a financial institution are refused."],
  },
  {
    held: [
      "app/modules/records/certificates/certificate.test.ts :: a certificate that states how the details were verified is headed by that",
      "app/modules/records/certificates/certificate.test.ts :: the text of a certificate has one spelling",
    ],
    says: [
      "A decided verification has a certificate, to read, to print and as a PDF: who verified which payee, how, with what result, which calls were made, and who decided. The account number on it is masked. It is issued once and never changes; database triggers refuse to update or delete it. Its title says whether the bank confirmed the details, the payee was called back, or a person approved them and no bank was asked.",
    ],
  },
  {
    held: [
      "app/modules/records/audit-trail/kept-seals.workers.test.ts :: an admin who asked gets the seal of the day by email and finds it kept; nobody else gets one",
      "app/modules/records/audit-trail/kept-seals.workers.test.ts :: the schedule finds it, says it once and alerts",
      "app/modules/records/audit-trail/kept-seals.workers.test.ts :: a trail that was cut off and sealed anew fits itself, and fails against the seal that was kept",
      "app/modules/records/audit-trail/kept-seals.workers.test.ts :: a seal that somebody kept is checked as they typed it",
    ],
    says: [
      "Administrators can choose to get the newest seal by email, once a day when something happened. The page of the audit trail keeps the seals they got, and checks any seal you enter. A schedule computes the hashes of all entries again and compares the seals that were kept with the trail. When one fails, administrators and your organisation’s confirmed address are alerted.",
    ],
  },
  {
    held: [
      "scripts/verify-evidence.test.ts :: a signed approval that was altered, exchanged, taken out or made by another device is named",
      "app/modules/payments/signed-decisions.workers.test.ts :: a payment's evidence holds what was signed of it",
      "scripts/verify-evidence.test.ts :: one altered byte is found, wherever it stands",
      "scripts/verify-evidence.test.ts :: a certificate's JSON as the API answers it is checked against the hash that came with it",
      "scripts/verify-evidence.test.ts :: an export of the trail is checked as a chain, and a seal that was kept against it",
      "tests/e2e/public-site.test.ts :: the script that checks evidence is downloaded and runs by itself",
    ],
    says: [
      "The page of a payee or payment offers its evidence as a PDF and as JSON: the entries of the audit trail, each with its seal, the certificates, and what passkeys signed. A small script, verify-evidence.mjs, checks the JSON without a network, the passkeys' signatures included, and names what was altered. It needs Node and nothing else, and you can read it first. It also checks the JSON of a certificate and an export of the audit trail, and whether a seal that you kept is in them: node verify-evidence.mjs FILE ENTRY HASH.",
    ],
  },
  {
    held: ["tests/e2e/public-site.test.ts :: and without a script"],
    says: ["These public pages use no JavaScript, except to show a message after you send a form."],
  },
  {
    held: ["app/http/security-headers.test.ts :: scripts run by nonce alone"],
    says: [
      "A content security policy allows only scripts with a nonce, no inline styles, no framing, and forms only to this site. You can see it with curl -I.",
      "We use no trackers and no advertising, and load no fonts or images from other sites.",
    ],
  },
  {
    held: ["tests/authorisation/authorisation.workers.test.ts :: another site's page changes nothing"],
    says: ["Requests that change something are refused when they come from another site."],
  },
  {
    held: [
      "tests/e2e/accessibility.test.ts :: %s can be used by everybody",
      "tests/e2e/public-site.test.ts :: and without a script",
    ],
    says: ["Everyone can use it. It works without JavaScript, with a keyboard, on a small screen and in print."],
  },
  {
    held: ["stryker.config.mjs :: app/modules/rules"],
    says: ["We deliberately break the rules that decide about payments, line by line, to see whether a test notices."],
  },
  {
    held: [
      "app/modules/accounts/members/switch-organization.commands.workers.test.ts :: a person of two organisations switches between them",
      "tests/authorisation/authorisation.workers.test.ts :: every endpoint has a row, and every row an endpoint",
    ],
    says: [
      "If you manage payments for several organisations, you can use one sign-in for all of them. Each organisation keeps its own payees, whitelist, policies and audit trail, and no data passes between them.",
    ],
  },
  {
    held: [
      "app/modules/accounts/billing/subscription-life.workers.test.ts :: from trial to payment to renewal",
      "app/modules/accounts/billing/billing.test.ts :: what was paid for runs to the end of its period when it is cancelled",
    ],
    says: [
      "You may cancel at any time. The service continues to the end of the month you paid for. You can still read, correct and export your records afterwards.",
    ],
  },
  {
    held: [
      "app/modules/payees/add-payee.workers.test.ts :: verifies at once what three others trust under the same name",
      "app/modules/core/audit/seals.workers.test.ts :: an auditor can check the export with nothing but SHA-256",
    ],
    says: [
      "What you enter stays yours. We use it to provide the service, as the privacy policy says. If you choose to vouch for an account, other organisations may see that one more organisation trusts it. They never see that it is you. You can export your audit trail at any time.",
    ],
  },
  {
    held: ["tests/routes/kept-pages.workers.test.ts :: colours are kept apart"],
    says: [
      "Name, email, company, phone and the message.",
      "Up to two small cookies, only if you use the feature that needs them: the colours you chose, and a message for the next page. We use no analytics and no advertising.",
    ],
  },
  {
    held: [
      "app/modules/verifying/bank-checks/withdrawn-consent.workers.test.ts :: with the documented answers a check finishes",
      "app/modules/connections/sync.workers.test.ts :: a bank account changed in Xero: payments are held, all is told, and the payee keeps its details",
    ],
    says: [
      "From the person: on forms, by the link we send to a payee, and, with the payee’s consent, from the payee’s bank. From the customer who pays or may pay a payee, and from the Xero or MYOB file that the customer connects: suppliers, bills and payments. We write nothing there, unless the customer asks for a note in Xero when a payee is verified. The page behind the link tells payees which organisation asks and why (APP 5).",
    ],
  },
  {
    held: [
      "app/modules/verifying/bank-checks/compare-with-instant-answer.test.ts :: the three names stand for the three classes",
      "app/adapters/bank-data/azupay.ts :: endUserId: requesterId",
      "app/adapters/bank-data/cop.ts :: requester: { id: requesterId }",
    ],
    says: [
      "Where Confirmation of Payee is switched on, the provider that is asked, which may be one of two, and the payee’s bank: the account name, BSB and account number that a customer asks about. The provider also gets an id that stands for the customer.",
    ],
  },
  {
    held: [
      "app/modules/directories/email-domain.workers.test.ts :: a resolver and a registry are told a domain and nothing else",
      "app/adapters/business-register/abr.ts :: AbnDetails.aspx",
    ],
    says: [
      "Where look-ups are switched on: a resolver of internet names and the registries of domains, for the domain of a payee’s email address, or of the sender of an emailed invoice, without the rest of the address; and the Australian Business Register, for an ABN or for a name that a person types to find one. None of them is told which customer asks.",
    ],
  },
  {
    held: [
      "app/modules/verifying/bank-checks/bank-check-rules.workers.test.ts :: a consent taken back after the decision deletes what the provider holds",
      "app/modules/verifying/bank-checks/withdrawn-consent.workers.test.ts :: with the documented answers a check finishes",
    ],
    says: [
      "The bank check works through Basiq, a provider accredited under the Consumer Data Right (CDR). Nothing is collected before you agree on the consent page, where you choose the bank and the accounts and see what is shared and for how long. You sign in at your bank; neither we nor the organisation that pays you can see that.",
      "We ask for account details and the account holder’s name, not for transactions. We compare them with what the organisation holds and keep the result: the name at the bank, the account, the institution, and how well they agree. After the check we ask Basiq to delete the rest. You can withdraw consent at any time in your bank’s or Basiq’s consent dashboard; a check that is not finished then ends.",
    ],
  },
  {
    held: [
      "app/modules/payees/whitelist/promotion.test.ts :: a promoted payee has three payments and no reason against promotion",
      "app/components/marketing/hold-rules.test.ts :: the public list of rules is what holds a payment of a new organisation",
    ],
    says: [
      "Names, account names, BSB and account numbers, email domain, contact details and when they changed, the history of payments and verifications, and the payee’s own answer.",
      "Holding or authorising a recorded payment by the organisation’s rules; removing a payee from the whitelist when details change; whitelisting after 3 or more successful payments; ending a verification when the bank says that the account is closed or was not shared. Where an organisation has switched it on, approving an exact result.",
      "Approving or rejecting a verification, for which the program computes a name score with its reasons; and releasing or rejecting a held payment.",
    ],
  },
  {
    held: [
      "tests/writes.test.ts :: runCommand",
      "tests/routes/verifications.workers.test.ts :: the single verification has outcome, evidence and timeline",
    ],
    says: [
      "Every such decision is recorded with its reasons, and a person at the organisation can look at it again. To have that done, speak to the organisation that pays you; we help it find the record.",
    ],
  },
  {
    held: [
      "app/modules/core/housekeeping.workers.test.ts :: what is over is removed, what is not stays",
      "app/modules/core/housekeeping.server.ts :: LINKS_KEPT_DAYS * DAY_MS",
      "app/modules/records/organization-export/remove-organization.server.ts :: CLOSED_KEPT_YEARS * 366 * DAY_MS",
      "workers/local/example.workers.test.ts :: removesItSevenYearsAfterClosing",
    ],
    says: [
      "How we protect information is on the security page. Expired sessions are removed, the text of messages is deleted once they are sent, and links that we sent to people who sign in are removed 30 days after they run out. Payees, verifications, payments and the audit trail are kept while the customer’s account exists, and for 7 years after it was closed, as the law requires for financial records. Then they are removed, with the accounts of its people who belong to no other customer. Messages to us are kept until they are dealt with and as long as we may need to show what was said.",
    ],
  },
  {
    held: [
      "app/modules/payees/whitelist/promotion.test.ts :: a promoted payee has three payments and no reason against promotion",
      "app/modules/payees/verifications/grade.test.ts :: only what is verified has a grade",
    ],
    says: ["Advanced whitelist management"],
  },
  {
    held: [
      "app/modules/verifying/bank-checks/withdrawn-consent.workers.test.ts :: with the documented answers a check finishes",
    ],
    says: ["Bank account verification through Basiq"],
  },
  {
    held: [
      "app/modules/core/audit/seals.workers.test.ts :: every row gets one seal, counted and chained per organisation",
    ],
    says: ["A complete audit trail"],
  },
  {
    held: [
      "app/modules/messages/notifications/notice-rules.test.ts :: a trial has sent 200",
      "app/kernel/limits.ts :: NOTICES_PER_DAY",
    ],
    says: [
      "Warnings of changed bank details: 200 in 24 hours, 2,000 after a first paid invoice, and 20 to one address or number. Warnings about payees that were never trusted or paid, and repeated ones, use at most half of that limit. Warnings over the limit wait.",
    ],
  },
  {
    held: [
      "tests/routes/invoice-mail.workers.test.ts :: what strangers send is limited by the day and the sender, and leaves the people's own alone",
      "tests/routes/invoice-mail.workers.test.ts :: a message that is too large is refused, also where its size is not told",
      "app/kernel/limits.ts :: MAILED_INVOICES_PER_DAY",
    ],
    says: [
      "Invoices by email: 1,000 messages in 24 hours from your people and the addresses that you name, 300 from one of them; 200 from everybody else, 50 from one sender. A message may be up to 10 MB.",
    ],
  },
  {
    held: [
      "app/modules/messages/alerts/choices.server.ts :: MAX_CODES_A_DAY = PHONE_CODES_PER_DAY",
      "app/modules/messages/alerts/alerts.workers.test.ts :: ALERT_TEXTS_A_DAY",
    ],
    says: [
      "Alerts by text message: 200 in 24 hours, and as many again about the safety of money. Emails and the list of alerts have no such limit. Codes that confirm the phone of one person: 5 in 24 hours.",
    ],
  },
  {
    held: [
      "app/modules/payments/payment-files/read-file.test.ts :: the file has more than 20,000 payments.",
      "app/modules/payees/imports/import.ts :: FILE_LIMITS.import.bytes",
      "app/modules/payees/staff-accounts.server.ts :: FILE_LIMITS.staffAccounts.bytes",
    ],
    says: [
      "A payment file: 20,000 payments and 6 MB. An import of payees: 50,000 rows and 16 MB. A list of staff accounts: 2 MB.",
    ],
  },
  {
    held: "heading",
    says: [
      "Ask a question, request a demonstration, or talk to us about pricing and integration.",
      "When you print this page, each sheet starts on a new page.",
      "Checklist: a payee's bank details change",
      "The method, what we measured, what it cannot do, and a box to try it in.",
      "Measured on names as people write them",
      "Articles on payment redirection and supplier records, with sources.",
      "20 Nov 2026 · 8 minute read",
      "How it works, step by step",
      "Who bears the loss: a court decision",
      "What Confirmation of Payee changes, and what it does not",
      "See the four steps from an invoice to an authorised payment.",
      "Add and edit payees, whitelist them",
      "Calls that need no token have a limit for each address on the internet:",
      "Ask for a link to a new password; Set a new password",
      "Name of an organisation; Organisations with an email domain",
      "Open a payee's link; Answer a payee's link",
    ],
  },
  {
    held: "advice",
    says: [
      "A checklist for changed bank details and a call-back script. You may print, copy and change them. You do not need PayeeProof to use them.",
      "Use one sheet for each change. Print it, complete it and file it with the change.",
      "Do not reply to the email, and do not use a link or phone number in it.",
      "Compare the sender's address letter by letter with an earlier genuine email.",
      "Look for pressure: urgent, confidential, “our auditor”, “please do not call”.",
      "Find a phone number in your own records, an older contract or the supplier's website typed by hand.",
      "Call that number and use the script below.",
      "Let them read the new details to you. Do not read them out yourself.",
      "Write down who you spoke to, when, and where you found the phone number.",
      "Compare the account name with the legal name and the ABN on the register.",
      "Have the change reviewed by a second person who did not enter it.",
      "Tell the supplier's previous email address that the details were changed.",
      "Pay a first, smaller amount and have the supplier confirm that it arrived.",
      "Keep the request, the call note and the approval together.",
      "Call your bank now and ask for a recall. Act within minutes if you can.",
      "Report it at cyber.gov.au/report and scamwatch.gov.au.",
      "Call the supplier: a criminal may be reading their emails, or yours.",
      "For the person who makes the call. Let the supplier say the numbers.",
      "“Good morning, this is ... from ... . May I speak to the person who looks after your invoices?”",
      "You called a number you already had. Say who you are, and that you are calling about a payment.",
      "“Have your bank details changed since our last payment?”",
      "Ask an open question. Anyone can answer yes or no.",
      "“Please read me the BSB and the account number that we should use, and the name on the account.”",
      "If yes: let them read. Write it down and compare it with the request only after the call.",
      "“So that I know that I have the right supplier: which account did we pay last time, its last three digits, and roughly how much?”",
      "Ask for something in your own records that is not in the email.",
      "“Did you or a colleague send us an email about this? When, and from which address?”",
      "If they did not ask for a change, stop, hold all payments, and tell them that their email may be compromised.",
      "“Thank you. You will get a confirmation at the address we have always used. If anything in it is wrong please call me.”",
      "This gives them a chance to notice a change they did not make.",
    ],
  },
  {
    held: [
      "app/modules/payees/change-notices.workers.test.ts :: the old contact is told of the bank details",
      "app/modules/payments/segregation.workers.test.ts :: enter new bank details, let a colleague record the payment, approve it oneself: refused",
      "tests/routes/former-contact.workers.test.ts :: everybody who decides is told that the contact was NOT told",
    ],
    says: ["The first five are on the checklist and call-back script, free to print. PayeeProof helps with all seven."],
  },
  {
    held: "advice",
    says: [
      "Treat every change of bank details as suspicious until it is checked.",
      "Call back on a number that you already had. The ACCC’s advice is the same: find the number yourself.8 If the line is bad, call again. Never fall back to email.",
      "Let them read the numbers to you. Anyone can say “yes, that is right”.",
      "Use two people. The person who enters a change does not approve it, even when a colleague is on leave.",
      "Tell the old address. Tell the previous contact that the details were changed. They would know if the change is false.",
      "Hold the first payment. Wait a day before you pay new details.",
      "Write it down. Who asked, who called, which phone number, who approved. Keep it where it cannot be changed later.",
      "Call your bank first, before anything else, and ask for a recall. Then report it at cyber.gov.au/report and to Scamwatch, call the supplier, and assume that one of the two mailboxes is still being read. Keep every email as it is. If personal information was exposed, the Notifiable Data Breaches scheme may require you to report it.",
    ],
  },
  {
    held: "elsewhere",
    says: [
      "How real invoices are paid to criminals, what the figures and a court decision say, what Confirmation of Payee changes, and seven habits that prevent it.",
      "A supplier does the work and sends an invoice. A day later another email arrives in the same thread, from the same address, with the same signature: our bank details have changed, please update your records. An employee updates them. The next pay run goes out on time, and the money is gone before the supplier asks about it.",
      "This is payment redirection, also called business email compromise or invoice fraud. It needs no malware on your computers and none of your passwords. It needs one compromised mailbox, often the supplier’s, and one change that is not checked.",
      "Reported scam losses in Australia fell in 2024, by almost 26 per cent to about $2.03 billion.1 Payment redirection did not follow: it ranked third among all scam types, with $152.6 million, behind investment and romance scams.2 The other two mostly affect individuals. This one mostly affects organisations.",
      "Reports of cybercrime show the same pattern. In 2024-25 the Australian Signals Directorate received more than 84,700 reports of cybercrime. Among businesses the most common kinds were a compromised mailbox without a loss, 19 per cent, and business email compromise with a loss, 15 per cent. The average reported cost of a cybercrime to a business rose by half, to $80,850.3 A year earlier, businesses reported almost $84 million lost to business email compromise, more than $55,000 for each confirmed case.4",
      "These figures cover reported losses only. Losses that were not reported are not included.",
      "They get into a mailbox. They use a reused password, a fake sign-in page, or a mailbox without two-step sign-in. Then they read for weeks: who invoices whom, when, how much and in what style.",
      "They wait for a real invoice. The amount, the purchase order and the work are real. Only the account changes.",
      "They reply in the thread, or write from an address that differs by one letter, and hide your answers with a mailbox rule.",
      "They answer your question. If you reply to ask whether the change is genuine, they are the ones who say yes.",
      "They move the money on. They transfer it to other accounts within hours. A recall that starts after a week recovers little.",
      "In December 2024 the District Court of Western Australia decided Mobius Group Pty Ltd v Inoteq Pty Ltd [2024] WADC 114. Mobius had invoiced $235,400 for electrical work. A criminal who had access to the mailbox of a Mobius director wrote to Inoteq that the account had changed. Inoteq did call, but the line was bad. It then asked by email, and the criminal answered.5 Inoteq paid the wrong account. About $43,500 came back.",
      "The court ordered Inoteq to pay the remaining $191,859 again, to the real supplier. Mobius owed Inoteq no duty to protect it from the fraud, the false email was not a valid notice of new details, and Inoteq was best placed to protect itself: a clear phone call would have been enough.6",
      "One decision of a district court does not settle the law, and other facts can lead to another result. But you may have to pay twice, and a record of what you checked may be your best evidence.",
      "Since July 2025 Australian banks have been launching Confirmation of Payee: the name you type is compared with the name on the account before the payment leaves.7 It is a real improvement, and you should use it. It has limits:",
      "It works in the bank’s screen, typically for a first payment or a changed payee. At most banks it does not check a file of many payments in the same way.",
      "It compares a name. A criminal's account with a similar name can be a close match.",
      "The person who pays can ignore a warning. You have no record of what was shown and who continued.",
      "It comes after the change was made. The wrong number is already in your supplier records.",
      "National Anti-Scam Centre: Australians better protected as reported scam losses fell by almost 26 per cent (2025), on the Targeting Scams report for 2024",
      "Indue: key findings of the Targeting Scams report 2024, by scam type",
      "Australian Signals Directorate: Annual Cyber Threat Report 2024-25",
      "Fortitech: figures of the Annual Cyber Threat Report 2023-24",
      "Lavan: case note on Mobius Group Pty Ltd v Inoteq Pty Ltd [2024] WADC 114",
      "Procopio Legal: who bears the loss when a scammer intercepts payment",
      "Australian Banking Association: launch of Confirmation of Payee, 2 July 2025",
      "Broker News: the ACCC on false invoices and calling the business yourself (2024)",
      "Figures as reported by these sources, read in November 2026. This article is general information, not legal advice.",
    ],
  },
  {
    held: [
      "app/modules/name-match/recorded-answers.test.ts :: what is said of $submitted and $held has not changed",
      "app/modules/name-match/properties.test.ts :: the score lies in the band of the class",
    ],
    says: [
      "A general similarity function counts letters. It finds “Harbour Foods” and “Harbour Funds” nearly equal, and “P/L” and “Pty Ltd” very different. For a payment both answers are wrong.",
      "Both names are split into words. Capital letters, accents and invisible characters do not count, but they are remembered.",
      "Each name is taken apart: titles, legal form, trading name, trustee and trust, references such as an ABN.",
      "Words are paired. Equal words come first, then words written apart, short forms, nicknames, initials and typing errors. Two well-known names that differ are two names, however similar they look.",
      "What differs decides the answer: a difference in formatting is exact, something to look at is close, and another name, number, place or kind of holder is no match. The score is set within the range of that answer.",
    ],
  },
  {
    held: ["app/modules/name-match/scores.test.ts :: for the reasons given"],
    says: [
      "Each difference is explained in one sentence with the points it costs. The points and the score add up to 100.",
    ],
  },
  {
    held: [
      "app/components/marketing/name-matching/comparison.test.tsx :: the page has no figure of its own",
      "app/components/marketing/name-matching/comparison.test.tsx :: the lower figures stand on the page with what they were measured on, and the record says the same",
    ],
    says: [
      "3,120 pairs of invented names, of which 1,080 are different payees. Each library is given the cleaning and the two cut-offs that suit it best on these pairs. Measured on 24 Nov 2026.",
      "99 of 100 pairs take less than 3.8 millionths of a second. Of the texts made to be slow, the slowest takes 4.3 thousandths of a second when it is first seen. The reasons are written only when somebody reads them.",
      "Pairs of names from public registers of Australian companies and political donors, lists of government suppliers, sanctions lists and research on records of people, with hand-written cases. A language model labelled each pair by the guidance that banks publish: nobody who pays invoices has checked the labels. Measured on 24 Nov 2026.",
      "For your own payees, expect the figure for the names set aside. Most of the other answers concern names that a careful person would look at: nothing is paid on a name alone.",
    ],
  },
  {
    held: [
      "app/modules/name-match/match-names.test.ts :: names that read the same in another script's letters are look-alikes",
      "app/modules/name-match/properties.test.ts :: never makes an exact match of different letters",
      "app/modules/name-match/match-names.test.ts :: an identical name is 100 and has no differences",
    ],
    says: [
      "It compares names. Two people with the same name are the same to it.",
      "An acronym is a close match at most: “BAC” may stand for many names.",
      "A new name after a marriage or a sale is a different name.",
      "Names in other scripts are compared by their sounds and are never exact.",
      "Chinese characters cannot be compared with a romanised name, so a person has to compare them.",
      "The pairs that compare us with libraries are invented, and easier than names that people write.",
      "Your payees may be harder or easier to compare than any list.",
    ],
  },
  {
    held: [
      "tests/api/contract.workers.test.ts :: the quick start adds a payee, has it verified, checks a pay run and clears it",
    ],
    says: [
      "Your own systems can check payees and pay runs with the same rules, the same reasons and the same audit trail as on the pages.",
      "This script adds a payee, asks the payee’s bank, checks a pay run and downloads the cleared file. It needs curl, jq, and an API token with the scopes to read and write payees, verifications and payment files. Replace pp_your_token with your token.",
    ],
  },
  {
    held: ["tests/api/scopes.test.ts :: CALLS"],
    says: [
      "Record and decide payments, check invoices",
      "See payment files and download cleared ones",
      "Upload, decide and clear payment files",
      "See accounting systems, webhook endpoints and what was sent to them",
      "Manage accounting systems and webhook endpoints",
    ],
  },
  {
    held: [
      "tests/identity/api-tokens.workers.test.ts :: a revoked token is over at once, an expired one to the millisecond",
      "tests/identity/api-tokens.workers.test.ts :: a scope that is missing is named, and reading is not writing",
    ],
    says: [
      "Make a token in your profile, under API tokens. It is shown once, acts as you in the organisation that you choose, and expires when you choose. In your profile you can see when each token was last used, and revoke it at once.",
      "Send it with every call as Authorization: Bearer pp_.... A token has only the scopes you gave it:",
    ],
  },
  {
    held: [
      "app/kernel/app-error.ts :: published code keeps its meaning",
      "tests/routes/verifications.workers.test.ts :: missing, foreign and malformed ids are answered alike, to reading and to deciding",
    ],
    says: [
      "A refusal has a status of 400 or above and this body. message is a sentence for people, code is for programs and keeps its meaning. fieldErrors is present when a field is wrong. Some codes add members of their own; the description of the call says which.",
      "Something that does not exist and something that belongs to another organisation get the same answer: 404 NOT_FOUND. A wrong method is answered with 405, and Allow lists the allowed ones. After 429 and 503, wait for the seconds in the header Retry-After; nothing was changed.",
    ],
  },
  {
    held: [
      "tests/routes/payments.workers.test.ts :: the same Idempotency-Key is answered alike, another body with it 409",
    ],
    says: [
      "Calls that create or decide something take the header Idempotency-Key: up to 200 characters of your choice, a new one for each thing you want done. If an answer is lost, send the same call with the same key: it is carried out once, and you get the first answer again; for a payment, statusNow says what has become of it since. The same key with another body is refused with 409 IDEMPOTENCY_CONFLICT.",
    ],
  },
  {
    held: [
      "tests/routes/verification-list.workers.test.ts :: the call answers a page with its cursor, and the pages of the list hold everything once",
    ],
    says: [
      "A list returns one page and nextCursor. Send that as ?cursor= for the next page; null means that there is none. A page is found by its key, so rows that arrive in the meantime do not shift the pages. Filters that a list does not know are ignored.",
    ],
  },
  {
    held: [
      "tests/routes/payees.workers.test.ts :: the list carries masked numbers only",
      "tests/routes/payee-reveals.workers.test.ts :: leaves an entry of the reveal",
    ],
    says: [
      "Lists mask account numbers; the call for one payee, verification or payment shows them in full, and the audit trail records that.",
    ],
  },
  {
    held: ["tests/api/openapi.test.ts :: the document is one of OpenAPI 3.1"],
    says: [
      "Amounts are whole cents of Australian dollars. Instants are ISO 8601 in UTC. A BSB is six digits and an account number four to nine; both are accepted with spaces and hyphens, and returned without. Ids are UUIDs.",
      "To generate a client, use the same reference as an OpenAPI 3.1 document, version 1.0.0.",
    ],
  },
  {
    held: [
      "app/http/body.test.ts :: the limit itself is accepted, one byte more is not",
      "app/http/body.test.ts :: JSON under another content type is refused",
    ],
    says: [
      "Send JSON as application/json in UTF-8, at most 64 KB. Answers may gain members: ignore those you do not know.",
    ],
  },
  {
    held: [
      "tests/routes/webhook-settings.workers.test.ts :: an admin adds an endpoint, sees its secret once, tests it and finds the answer in its log",
      "app/modules/messages/webhook-endpoints/webhooks.workers.test.ts :: what happens is sent once to each endpoint that chose it, signed, with ids and states and no bank number",
    ],
    says: [
      "Instead of polling, have events sent to your system: an admin adds an https address under Settings, Webhooks, and chooses the events. Each event is posted there as JSON with ids and states; ask for the rest with a call.",
    ],
  },
  {
    held: [
      "app/modules/messages/webhook-endpoints/webhooks.workers.test.ts :: both secrets sign while the former lives, and the new one alone after it",
    ],
    says: [
      "Events are signed as standardwebhooks.com describes: webhook-signature holds v1, and an HMAC-SHA256 of webhook-id, webhook-timestamp and the body under the endpoint's secret, in base64. While a former secret is valid there are two signatures; either one will do. Refuse an event that is older than five minutes.",
    ],
  },
  {
    held: [
      "app/modules/messages/webhook-endpoints/webhooks.workers.test.ts :: an endpoint that fails is tried again for three days under one id, then switched off, and the admins are told",
      "app/modules/messages/webhook-endpoints/webhooks.workers.test.ts :: an endpoint that does not answer in time is told so, and the next is not kept waiting",
    ],
    says: [
      "Answer 2xx within ten seconds. An event without such an answer is sent again, at growing intervals, for three days; then the endpoint is switched off and the admins are told. An event can arrive more than once and out of order: its webhook-id stays the same. Redirects are not followed.",
    ],
  },
  {
    held: ["app/http/page.server.ts :: ADDRESS_LIMITS", "app/kernel/limits.ts :: STATED_LIMITS"],
    says: [
      "Calls with an API token count towards the organisation's limits, as people's actions do; over a limit the answer is 429 RATE_LIMITED. There is no other limit on calls with a token.",
    ],
  },
  {
    held: [
      "tests/routes/add-and-verify.workers.test.ts :: add and verify adds the payee and has its bank asked at once",
      "tests/routes/add-and-verify.workers.test.ts :: before an administrator has confirmed their address the form says so, and the payee is added without a check",
    ],
    says: [
      "Add and verify also asks the bank at once where Confirmation of Payee is switched on, and otherwise sends the payee a link. Add without a check asks no one. Until an administrator has confirmed their email address, only this second button is offered.",
    ],
  },
  {
    held: [
      "app/modules/payments/payment-files/upload-bills.workers.test.ts :: a supplier that is no payee, another organisation's, or two payees is a held line; the others are paid",
      "app/modules/payments/payment-files/upload-bills.workers.test.ts :: a bill without an account is never approved",
    ],
    says: [
      "A list of bills exported from Xero or MYOB names suppliers but no accounts: each bill is paid to your payee of that name. A supplier that does not match exactly one payee becomes a held line; the other bills can be cleared.",
    ],
  },
];
