import type { DocumentSection } from "~/components/marketing/document-page";

export const HELP: readonly DocumentSection[] = [
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
          If your organisation already uses PayeeProof under your email domain you are offered to join it. Otherwise
          create it: the name is enough, the ABN can follow.
        </li>
        <li>
          Confirm your address with the link that we mail you. Whoever creates an organisation is its first admin and
          has 14 days to try it, without a card.
        </li>
      </ol>
    ),
  },
  {
    id: "join",
    title: "Join your organisation",
    body: (
      <p>
        After you confirm your address your organisation decides, unless it lets in everybody with its email domain. If
        several organisations match your domain you choose yours on the page that appears after you sign in. Until you
        are approved you can sign in and see where your request stands.
      </p>
    ),
  },
  {
    id: "payee",
    title: "Add a payee",
    body: (
      <>
        <p>
          <strong>Manage Payees</strong>, then add. Name, BSB, account number and account name are needed; an email or
          mobile number lets the payee confirm. You can paste a BSB as 062-000, 062 000 or 062000.
        </p>
        <p>
          A verification opens with the payee. You see at once which institution the BSB belongs to, whether the account
          number has an unusual length, and whether you already have a payee like this. The same account cannot be added
          twice: you are taken to the payee who has it.
        </p>
      </>
    ),
  },
  {
    id: "verify",
    title: "Verify a payee at their bank",
    body: (
      <>
        <p>
          Open the verification and start the bank check. The payee gets a link that shows the details you hold and asks
          whether they are right. If they are, the payee can go on to their own bank&rsquo;s consent page. We never see
          what they type there.
        </p>
        <p>
          The answer appears beside what you entered, with each difference marked and a score. &ldquo;Could not
          check&rdquo; is not a bad sign about the payee: it says that the bank did not answer, and offers to try again.
          The link works for 7 days; sending a new one ends the old one.
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
          <strong>Payee Verification</strong> lists what is waiting. Search by name, BSB or account number; filter by
          Exact, Fuzzy or No match. A fuzzy name needs a person: it may be a typing error and it may be fraud.
        </p>
        <p>
          Approve, and the payee is verified and whitelisted; you may also vouch for the account to other organisations.
          Reject, and say why. If two people decide at the same moment, one decision counts and the other person is told
          who made it.
        </p>
        <p>
          If your organisation requires a second person, whoever requested the verification or edited the payee cannot
          approve it.
        </p>
      </>
    ),
  },
  {
    id: "change",
    title: "Change a payee's bank details",
    body: (
      <p>
        Edit the payee. The payee leaves the whitelist, a new verification opens, payments wait, your colleagues are
        told, and so is the payee&rsquo;s previous email address. Please call the payee first, on a number you already
        had: the <a href="/resources#script">call-back script</a> takes two minutes.
      </p>
    ),
  },
  {
    id: "payment",
    title: "Record a payment",
    body: (
      <p>
        Enter the payee or the account, the amount and your reference. The answer comes at once: authorised, or held
        with every reason. After the bank has paid, mark it successful or failed: after 3 or more successful payments to
        unchanged details the payee is whitelisted automatically.
      </p>
    ),
  },
  {
    id: "held",
    title: "Decide a held payment",
    body: (
      <p>
        Read the reasons. Then approve it and say why, reject it, or request additional verification. When that
        verification is decided the payment comes back to you; it never authorises itself.
      </p>
    ),
  },
  {
    id: "trail",
    title: "Read and export the audit trail",
    body: (
      <p>
        Every payee and verification shows its own history. The whole trail of your organisation can be exported as one
        file of JSON lines with its seals. What the seals prove and how to check them is on the{" "}
        <a href="/security#trail">security page</a>.
      </p>
    ),
  },
  {
    id: "roles",
    title: "Who may do what",
    body: (
      <dl>
        <dt>Read only</dt>
        <dd>Sees everything of the organisation, changes nothing.</dd>
        <dt>Member</dt>
        <dd>Works with payees, verifications, payments and the subscription.</dd>
        <dt>Admin</dt>
        <dd>Also looks after people and policies.</dd>
      </dl>
    ),
  },
  {
    id: "payees",
    title: "You are a payee and got a link",
    body: (
      <>
        <p>
          An organisation that is about to pay you asks whether the bank details it holds are yours. The mail names the
          organisation. If you do not expect it, call them on a number you already know.
        </p>
        <p>
          Opening the link changes nothing. &ldquo;Yes, these are my details&rdquo; confirms them. &ldquo;These are not
          my details&rdquo; tells the organisation at once and holds your payments until somebody has spoken to you. We
          never ask for a password, a card number or a code.
        </p>
      </>
    ),
  },
  {
    id: "stuck",
    title: "Something does not work",
    body: (
      <p>
        Error pages say what happened and whether anything was changed. If it stays, <a href="/contact">tell us</a> what
        you did and what you saw. Please leave bank details out of the message.
      </p>
    ),
  },
];
