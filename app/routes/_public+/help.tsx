import { DocumentPage, type DocumentSection } from "~/components/marketing/document-page";
import { publicPage } from "~/components/marketing/meta";
import { Sheet } from "~/components/marketing/section";
import { StatedLimits } from "~/components/marketing/stated-limits";
import { sitePaths } from "~/kernel/paths/site";

/** The supported browsers: every version of the last two years (November 2026). */
export const SUPPORTED_BROWSERS = [
  { name: "Chrome", from: "129" },
  { name: "Edge", from: "129" },
  { name: "Firefox", from: "128" },
  { name: "Safari", from: "18" },
];

const HELP: readonly DocumentSection[] = [
  {
    id: "start",
    title: "Create an account",
    body: (
      <ol>
        <li>
          Choose <strong>Get Started</strong>, then the Register tab, and enter your work email, name and a password of
          at least 8 characters with an uppercase and a lowercase letter, a number and a special character.
        </li>
        <li>
          If your organisation already uses PayeeProof under your email domain, you can ask to join it. Otherwise create
          it. Only the name is required; you can add the ABN later.
        </li>
        <li>
          Confirm your email address with the link we send you. The person who creates an organisation is its first
          administrator and has 14 days to try it, no card needed.
        </li>
      </ol>
    ),
  },
  {
    id: "join",
    title: "Join your organisation",
    body: (
      <p>
        After you confirm your email address, an administrator approves your request, unless your organisation approves
        all people with its email domain automatically. If several organisations match your domain, you choose yours
        after you sign in. Until you are approved you can sign in and see the state of your request.
      </p>
    ),
  },
  {
    id: "passkeys",
    title: "Sign in with a passkey",
    body: (
      <p>
        Open My Account, then Profile and Passkeys, type your password and confirm on your device. Next time, choose{" "}
        <strong>Sign in with a passkey</strong>, or the passkey that your browser offers in the field for your email. If
        you lose your device, sign in with your password and remove the passkey. Passkeys need JavaScript; the password
        does not.
      </p>
    ),
  },
  {
    id: "company-sign-in",
    title: "Sign in with your company",
    body: (
      <p>
        On the login page choose <strong>Sign in with your company</strong> and enter your work email. If you already
        have an account, you enter its password once. Administrators set this up under Settings, then Single sign-on:
        register PayeeProof with the provider, save the issuer, client id and secret, test it, and choose whether people
        can or must use it. Name two administrators who can sign in without the provider when it is down.
      </p>
    ),
  },
  {
    id: "signed-approvals",
    title: "Approve with your passkey",
    body: (
      <p>
        Where your organisation requires it, the page shows what your passkey signs: the payee, the account and the
        amount, or the payment file with its total. Press <strong>Approve with passkey</strong>, and confirm with your
        finger, face or PIN. If something has changed since, the page says what, and nothing is decided. Without
        JavaScript or a passkey, another approver has to decide.
      </p>
    ),
  },
  {
    id: "payee",
    title: "Verify a payee",
    body: (
      <>
        <p>
          Choose <strong>Manage Payees</strong>, then <strong>Verify a payee</strong>. The name, BSB, account number and
          account name are required. An email address or mobile number lets the payee confirm them. You can enter a BSB
          as 062-000, 062 000 or 062000.
        </p>
        <p>
          A verification opens with the payee. You see at once which institution the BSB belongs to, whether the account
          number has an unusual length, and whether you already have a payee like this. The same account cannot be added
          twice.
        </p>
        <p>
          <strong>Add and verify</strong> also asks the bank at once where Confirmation of Payee is switched on, and
          otherwise sends the payee a link. <strong>Add without a check</strong> asks no one. Until an administrator has
          confirmed their email address, only this second button is offered.
        </p>
      </>
    ),
  },
  {
    id: "instant",
    title: "Ask the bank at once",
    body: (
      <>
        <p>
          Where Confirmation of Payee is switched on, a pending verification has the button{" "}
          <strong>Check with the bank now</strong>. The bank says whether the name belongs to the account: match, close
          match or no match. The payee gets no message.
        </p>
        <Sheet caption="The bank's answer beside what you typed">
          <dl className="grid gap-3 text-base sm:grid-cols-2">
            <div>
              <dt className="text-ink-soft text-sm">You typed</dt>
              <dd className="font-medium text-md">Harbour Foods Pty Ltd</dd>
            </div>
            <div>
              <dt className="text-ink-soft text-sm">The bank says</dt>
              <dd className="font-medium text-md">Harbour Funds Pty Ltd</dd>
            </div>
          </dl>
        </Sheet>
        <p>
          A bank may not reveal the name. &ldquo;Could not check&rdquo; means that there was no answer about the
          account, and says nothing about the payee.
        </p>
      </>
    ),
  },
  {
    id: "verify",
    title: "Ask the payee and their bank",
    body: (
      <>
        <p>
          Open the verification and press <strong>Verify with Basiq</strong>. The payee gets a link that shows the
          details you hold and asks whether they are right. If they are, the payee can go on to their own bank&rsquo;s
          consent page. We never see what they enter there.
        </p>
        <p>
          The answer appears beside what you entered, with each difference marked and a score. The link works for 7
          days. Earlier links still work, until one goes to a changed email or phone.
        </p>
        <p>
          To check many payees at once, choose them in the list and press <strong>Check payees in bulk</strong>. Before
          anyone is asked, you see how many payees there are, what the checks cost and how long they take.
        </p>
      </>
    ),
  },
  {
    id: "review",
    title: "Review a verification",
    body: (
      <>
        <p>
          <strong>Payee Verification</strong> lists what needs a decision, the most serious first. Pending
          verifications, below it, can be searched by name, BSB or account number, and filtered by Exact, Fuzzy or No
          match. A fuzzy name match needs manual review, to tell a typing error from fraud.
        </p>
        <p>
          If you approve, the payee is verified and whitelisted. You can also vouch for the account to other
          organisations. If you reject, give a reason. If two people decide at the same time, the first decision counts
          and the other person is told who made it.
        </p>
        <Screenshot
          name="review"
          alt="A verification under review: the bank details before and after a change, that the former contact was told, that the payee said these are not their details, and beside it the decision, which asks how the details were confirmed."
          caption="A verification of changed bank details that the payee disputes"
        />
        <p>
          Beside <strong>Verified</strong> you see how: confirmed by the bank, called back, or approved by a person. An
          approval without a check is marked &ldquo;no bank was asked&rdquo;, on its certificate too.
        </p>
        <p>
          If your organisation requires a second person, the person who requested the verification or edited the payee
          cannot approve it.
        </p>
        <p>
          Bank details that come from Xero or MYOB count as entered by the person who edited the supplier there, if the
          system names that person, and by the person who connected the system. If it is not known who edited the
          supplier, the person who approves the payee cannot also pay it alone: a payment that they record waits for
          someone else.
        </p>
      </>
    ),
  },
  {
    id: "change",
    title: "Change a payee's bank details or its name",
    body: (
      <>
        <p>
          Edit the payee. The payee leaves the whitelist, a new verification opens and payments are held. Your
          colleagues are alerted, and a message goes to everyone who was a contact of the payee in the last 30 days. If
          a message was not delivered, the payee&rsquo;s page says so, and why.
        </p>
        <p>
          Call the payee first, on a phone number you already had. The{" "}
          <a href={`${sitePaths.resources}#script`}>call-back script</a> tells you what to ask. A new name has the same
          effect, because the bank details were confirmed under the old name, except that no message is sent. Different
          capitals have no effect.
        </p>
      </>
    ),
  },
  {
    id: "import",
    title: "Import your payees",
    body: (
      <>
        <p>
          Choose <strong>Manage Payees</strong>, then <strong>Import payees</strong>: contacts exported from Xero, cards
          exported from MYOB, or any table with names, BSBs and account numbers. You see what would happen, row by row,
          before anything is added. A file never changes the bank details of a payee that you have.
        </p>
        <Screenshot
          name="import"
          alt="An import before anything is added: each row of the file with what would happen to it, and notes about a BSB that no institution has and an account number of an unusual length."
          caption="An import, before anything is added"
        />
        <p>
          To get bank details from a new supplier, choose <strong>Ask a payee for their details</strong>. The supplier
          types them into a form, so that they do not travel by email. Payments to them are held until a person decides.
        </p>
      </>
    ),
  },
  {
    id: "health",
    title: "Keep your payees healthy",
    body: (
      <>
        <p>
          <strong>Health of your payees</strong>, under Manage Payees, gives the whole list a score and lists what to
          work on, the most serious first: payees that were never verified, verified long ago, or have details that look
          wrong. Each list can be downloaded.
        </p>
        <Screenshot
          name="health"
          alt="The health of the payees: a score for the whole list, and what to work on; each line has the number of payees, what they were paid in the last year, and a download."
          caption="The health of your payees"
        />
      </>
    ),
  },
  {
    id: "payment",
    title: "Record a payment",
    body: (
      <p>
        Enter the payee or the account, the amount and your reference. The payment is authorised or held, and you see
        every reason. After the bank has paid, mark it as successful or failed. After 3 or more successful payments to
        unchanged details the payee is whitelisted automatically. Your policies can also require a minimum amount and a
        number of days. If they require a second person, a payment counts only if someone other than the person who
        recorded it reported its success. An approval limit covers all payments to one payee in a day, recorded one by
        one or in files. Approving a payee does not authorise a payment above your own limit.
      </p>
    ),
  },
  {
    id: "held",
    title: "Decide a held payment",
    body: (
      <p>
        Held payments where the account may be wrong come first, then the largest amounts. Read the reasons. Then
        approve the payment with a reason, reject it, or request additional verification. When it is complete, you
        decide: nothing is authorised automatically. You can reject several together, for one reason. A payment file
        that pays from an account your administrators have not declared is stopped until one of them declares it.
      </p>
    ),
  },
  {
    id: "invoices",
    title: "Check an invoice",
    body: (
      <>
        <p>
          Choose <strong>Invoices</strong> and drop in the PDF, the email or the electronic invoice that the supplier
          sent, or choose the file. Each invoice is compared with your verified payees. An invoice that names a
          different account is stopped: your organisation is told, and payments with its number or its amount are held.
          Call the payee on a number you knew before, then accept or stop the invoice. Accepting it changes no payee. If
          the account is really new, verify it as a separate payee; the verified one stays as it is meanwhile.
          Administrators set what each rule does in the policies.
        </p>
        <p>
          Or forward the email: in the invoice settings, an administrator can switch on an address for your
          organisation, and replace it. Your people, and the addresses that an administrator names, get an answer with
          the payee’s name, the verdict and a link, never a bank number, if the check of their domain (DMARC) passed.
          What anybody else sends is listed too, but not answered.
        </p>
      </>
    ),
  },
  {
    id: "pay-run",
    title: "Check a pay run before it goes to the bank",
    body: (
      <>
        <ol>
          <li>
            Choose <strong>Payment files</strong> and upload the ABA or CSV file that your accounting system made, or
            paste the payments. Nothing is sent to your bank.
          </li>
          <li>
            Every line is checked by the same rules as a single payment. Lines that no rule holds are ready. The others
            wait, with their reasons; questions about the account itself are decided line by line.
          </li>
          <li>
            Clear the file and upload the cleared file to your bank: it has only the lines that were authorised.
            Clearing checks them again.
          </li>
          <li>
            When the bank has paid, record the outcome of the whole file with its exceptions, or upload the bank&rsquo;s
            file of returned payments.
          </li>
        </ol>
        <Screenshot
          name="pay-run"
          alt="A payment file: how much is authorised and held, how much goes to payees that were never paid or whose bank details changed, and the button that clears the file for the bank."
          caption="A pay run after the check"
        />
        <p>
          A list of bills exported from Xero or MYOB names suppliers but no accounts: each bill is paid to your payee of
          that name. A supplier that does not match exactly one payee becomes a held line; the other bills can be
          cleared.
        </p>
        <p>To prove that a file for the bank is the one that was cleared, byte for byte, upload it again.</p>
      </>
    ),
  },
  {
    id: "alerts",
    title: "Choose your alerts",
    body: (
      <>
        <p>
          <strong>Alerts</strong>, behind the bell, show what concerns you; you get none about your own actions. In your
          profile you choose email, a text message or a daily summary at 7 am for each event, and your quiet hours. Some
          alerts cannot be switched off by anyone, such as the first payment to bank details that came from Xero or
          MYOB.
        </p>
        <Screenshot
          name="alerts"
          alt="The list of alerts, each with when it happened: different bank details in Xero, a bank check that finished, and a payment file that needs a decision."
          caption="The alerts of an administrator"
        />
      </>
    ),
  },
  {
    id: "connections",
    title: "Connect Xero or MYOB",
    body: (
      <>
        <p>
          Under Settings, <strong>Integrations</strong>, an administrator connects Xero or MYOB. Suppliers and approved
          bills are read from both, and payments from Xero. When a supplier&rsquo;s bank account changes there, payments
          to the payee are held and a person decides which account is right. A payment whose account or amount is not
          that of the approved bill is held too. Your own system can use the <a href={sitePaths.apiDocs}>API</a> and
          receive webhooks.
        </p>
        <Screenshot
          name="connections"
          alt="The connection to Xero: that it is connected, when it was last read and what that found, what is done with suppliers and bills, and the buttons to read again."
          caption="A connection to Xero"
        />
      </>
    ),
  },
  {
    id: "trail",
    title: "Read and export the audit trail",
    body: (
      <p>
        Every payee and verification shows its own history, and a decided verification has a certificate to print or to
        download as a PDF. The audit trail describes each action in a sentence. Narrow it to a payee with its
        verifications and payments, a person, an area, an action or a range of days, and download the result as a table
        or as JSON lines, or the whole trail with its seals. People with read-only access can download all of this too,
        and check it; only administrators see whole email addresses. Administrators who choose it under Alerts get the
        newest seal by email every day. What the seals prove and how to check them is on the{" "}
        <a href={`${sitePaths.security}#trail`}>security page</a>.
      </p>
    ),
  },
  {
    id: "reports",
    title: "See what was verified, held and decided",
    body: (
      <p>
        Reports, under Records, show how verifications ended and how long they took, what banks answered, which rules
        flagged payments, how much money was held and rejected, who decided what, and the calls to payees. Choose the
        days; each report has a chart, a table and a CSV file. Administrators can choose a summary of each month in
        their alert settings.
      </p>
    ),
  },
  { id: "limits", title: "Limits", body: <StatedLimits /> },
  {
    id: "roles",
    title: "Who may do what",
    body: (
      <dl>
        <dt>Read only</dt>
        <dd>
          Can view everything in the organisation but cannot change anything. People who join by an email domain without
          approval begin here.
        </dd>
        <dt>Member</dt>
        <dd>Can also manage payees, verifications, payments and the subscription.</dd>
        <dt>Administrator</dt>
        <dd>
          Can also manage people, domains and policies. The other administrators, and the organisation&rsquo;s confirmed
          address, are told about each such change, about payees that one person trusted alone and about exports. A
          change of policy that makes fraud easier waits 24 hours, unless you choose another time: any administrator can
          cancel it, and a second one can put it into effect at once.
        </dd>
      </dl>
    ),
  },
  {
    id: "payees",
    title: "If you are a payee and received a link",
    body: (
      <>
        <p>
          An organisation that pays you, or may pay you, asks whether the bank details it holds are yours. The email
          names the organisation. If you do not expect it, call them on a number you already know.
        </p>
        <p>
          Opening the link changes nothing. &ldquo;Yes, these are my details&rdquo; confirms them. &ldquo;These are not
          my details&rdquo; tells the organisation at once and holds your payments until it has contacted you. We never
          ask for a password, a card number or a code.
        </p>
      </>
    ),
  },
  {
    id: "browsers",
    title: "Browsers",
    body: (
      <p>
        PayeeProof works in {SUPPORTED_BROWSERS.map(({ name, from }) => `${name} ${from}`).join(", ")} and newer, on
        computers, tablets and phones. It works with JavaScript switched off as well.
      </p>
    ),
  },
  {
    id: "stuck",
    title: "If something does not work",
    body: (
      <p>
        If an error page does not say that nothing was changed, look at the page of the payee or payment before you try
        again. If the error continues, <a href={sitePaths.contact}>tell us</a> what you did and what you saw. Please
        leave out bank details.
      </p>
    ),
  },
];

export const { handle, headers, meta } = publicPage({
  path: sitePaths.help,
  title: "Help",
  description:
    "How to do each task in PayeeProof: payees, bank checks, pay runs, imports, health, alerts, connections and the audit trail.",
});

export default function Help() {
  return (
    <DocumentPage
      banner={{
        title: "Help",
        intro: "How to do each task in PayeeProof, in the order you will need them.",
        entry: {
          given: { label: "What you type", value: "062 000" },
          held: { label: "What we understand", value: "062-000" },
          verdict: { tone: "verified", word: "Exact" },
        },
      }}
      sections={HELP}
    />
  );
}

interface ScreenshotProps {
  /** The file in `public/pictures`, made by `npm run screenshots -- help`. */
  name: string;
  /** A description for people who cannot see it. */
  alt: string;
  caption: string;
}

/** The size of every picture, which is never shown wider than the text. */
const SIZE = { width: 1120, height: 700 };

/** A real page of the product. The people and payees in it are invented. */
function Screenshot({ name, alt, caption }: ScreenshotProps) {
  return (
    <figure className="mt-6 overflow-clip rounded-base bg-surface shadow-lift border border-line">
      <img src={`/pictures/${name}.jpg`} alt={alt} {...SIZE} loading="lazy" className="block h-auto w-full" />
      <figcaption className="border-line border-t bg-sunken px-5 py-2.5 text-ink-soft text-sm">{caption}</figcaption>
    </figure>
  );
}
