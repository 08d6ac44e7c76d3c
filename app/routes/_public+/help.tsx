import { DocumentPage, type DocumentSection } from "~/components/marketing/document-page";
import { publicPage } from "~/components/marketing/meta";
import { sitePaths } from "~/kernel/paths/site";

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
          twice. You are shown the payee that already has it.
        </p>
      </>
    ),
  },
  {
    id: "verify",
    title: "Check the details with the payee's bank",
    body: (
      <>
        <p>
          Open the verification and start the bank check. The payee gets a link that shows the details you hold and asks
          whether they are right. If they are, the payee can go on to their own bank&rsquo;s consent page. We never see
          what they enter there.
        </p>
        <p>
          The answer appears beside what you entered, with each difference marked and a score. &ldquo;Could not
          check&rdquo; means that the bank did not answer. It says nothing about the payee, and you can try again. The
          link works for 7 days. Links that were sent before go on working, unless the payee&rsquo;s email or phone was
          changed since.
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
          <strong>Payee Verification</strong> lists the pending verifications. Search by name, BSB or account number, or
          filter by Exact, Fuzzy or No match. A fuzzy name match needs manual review, to tell a typing error from fraud.
        </p>
        <p>
          If you approve, the payee is verified and whitelisted. You can also vouch for the account to other
          organisations. If you reject, give a reason. If two people decide at the same time, the first decision counts
          and the other person is told who made it.
        </p>
        <p>
          Beside <strong>Verified</strong> stands how: confirmed by the bank, called back, or approved by a person. An
          approval without a check says &ldquo;no bank was asked&rdquo;, on its certificate too.
        </p>
        <p>
          If your organisation requires a second person, the person who requested the verification or edited the payee
          cannot approve it.
        </p>
        <p>
          Bank details that come from Xero or MYOB are the work of the person who edited the supplier there, as far as
          the system names them, and of the person who connected it. If it is not known who edited the supplier, the
          person who approves the payee cannot also pay it alone: a payment that they record waits for someone else. The
          pages of the payee, its verification and its payments say so.
        </p>
      </>
    ),
  },
  {
    id: "change",
    title: "Change a payee's bank details or its name",
    body: (
      <p>
        Edit the payee. The payee leaves the whitelist, a new verification opens and payments are held. Your colleagues
        are alerted, and we email the payee&rsquo;s previous address. Call the payee first, on a phone number you
        already had. Another name does the same, without the email, because the bank details were confirmed for the
        payee of the name it had; a new spelling, such as capitals, does not. The{" "}
        <a href={`${sitePaths.resources}#script`}>call-back script</a> tells you what to ask.
      </p>
    ),
  },
  {
    id: "payment",
    title: "Record a payment",
    body: (
      <p>
        Enter the payee or the account, the amount and your reference. The payment is authorised or held, and you see
        every reason. The first payment to bank details that came from Xero or MYOB is an alert to administrators and
        members, which administrators cannot switch off. After the bank has paid, mark it as successful or failed. After
        3 or more successful payments to unchanged details the payee is whitelisted automatically.
      </p>
    ),
  },
  {
    id: "held",
    title: "Decide a held payment",
    body: (
      <p>
        Read the reasons. Then approve the payment with a reason, reject it, or request additional verification. When
        that verification is complete, you decide about the payment. It is never authorised automatically.
      </p>
    ),
  },
  {
    id: "trail",
    title: "Read and export the audit trail",
    body: (
      <p>
        Every payee and verification shows its own history, and a decided verification has a certificate to print or to
        download as a PDF. The audit trail says each act in a sentence. Narrow it to a person, an act or some days, and
        download exactly that as a table or as JSON lines, or the whole trail with its seals. What the seals prove and
        how to check them is on the <a href={`${sitePaths.security}#trail`}>security page</a>.
      </p>
    ),
  },
  {
    id: "reports",
    title: "See what was verified, held and decided",
    body: (
      <p>
        Reports, under My Account, show how verifications ended and how long they took, what banks answered, which rules
        fired, how much money was held and rejected, who decided what, and the calls to payees. Choose the days; each
        report has a chart, a table and a CSV file. Administrators can choose a summary of each month in their alert
        settings.
      </p>
    ),
  },
  {
    id: "roles",
    title: "Who may do what",
    body: (
      <dl>
        <dt>Read only</dt>
        <dd>Can view everything in the organisation but cannot change anything.</dd>
        <dt>Member</dt>
        <dd>Can also manage payees, verifications, payments and the subscription.</dd>
        <dt>Administrator</dt>
        <dd>Can also manage people, domains and policies.</dd>
      </dl>
    ),
  },
  {
    id: "payees",
    title: "If you are a payee and received a link",
    body: (
      <>
        <p>
          An organisation that is about to pay you asks whether the bank details it holds are yours. The email names the
          organisation. If you do not expect it, call them on a number you already know.
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
    id: "stuck",
    title: "If something does not work",
    body: (
      <p>
        Error pages say what happened and whether anything was changed. If the error continues,{" "}
        <a href={sitePaths.contact}>tell us</a> what you did and what you saw. Please leave bank details out of the
        message.
      </p>
    ),
  },
];

export const { handle, headers, meta } = publicPage({
  path: sitePaths.help,
  title: "Help",
  description:
    "How to do each task in PayeeProof: accounts, payees, bank checks, reviews, held payments and the audit trail.",
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
