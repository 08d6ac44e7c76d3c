import type { FindingCode } from "~/ports/document-reader";
import type { Line } from "../layout/lines";
import { BANKS } from "./account-names";
import { cellsOf } from "./context";
import { findWrongAbns } from "./other-numbers";
import { findWrongSum } from "./sums";

/** Customers' accounts and their managers, accounts in the sense of bills, and departments. */
const NO_BANK = String.raw`(?!s? (?:manager|executive|team|department|staff|office|terms|policy|application|form|enquir|balance|statement|period|payable|receivable|reconciliation|feed|person|people|contact|clerk|officer|assistant|system|software|portal|login|code)\w*)`;
const KIND_OF_ACCOUNT = String.raw`(?:(?:bank|trust|business|trading|client|office|general|operating|main|deposits?|reserve|company|firm['’]?s|receiving|remittance|settlement|project|payments?|eft)\s+){0,2}`;
const ACCOUNT = `(?:${KIND_OF_ACCOUNT}account${NO_BANK})`;
/** "Bank details", "BSB and account number", "payment instructions" */
const DETAILS = String.raw`(?:(?:(?:bank(?:ing)?|account|payment|payee|remittance|remit-to|beneficiary|e\.?f\.?t\.?|bsb|deposit|direct (?:credit|deposit))\s+(?:(?:name )?(?:and|&)\s+)?){1,3}(?:details?|information|instructions?|numbers?|coordinates|particulars|stuff)|bank(?:ing)? arrangements?|details for (?:(?:electronic|bank|your|eft) )?(?:payments?|transfers?|deposits?)|bsb|payid)\b`;
const NAMED = `(?:${BANKS}|commonwealth)`;
const A_BANK = String.raw`(?:(?:\w+ ){0,2}(?:bank|credit union|financial institution)|${NAMED})\b(?! (?:st|street|rd|road|park|place|centre)\b)`;
/** "Your new account number", "supplier bank details" */
const NOT_YOURS = String.raw`(?<!\b(?:your|their|suppliers?|(?:customer|client|member|employee|tenant)['’]?s?) (?:\w+ ){0,2})\b`;
/** Words between those that make an announcement together. */
const FILL = String.raw`(?:(?!\b(?:your|if|when|whenever|should|unless|address|prices?|rates?|terms|customers?|e-?mail|phone|office|never|same)\b)[^.!?;:\d])`;
const IS = String.raw`\b(?:(?:has|have|had|is|are|was|were)(?:n['’]t)?|will|be|means|recently|just|now)\b`;
const CHANGED = String.raw`(?:chang(?:ed?|ing)|amend(?:ed|ing)|revised|altered|mov(?:ed|ing)|replaced|consolidated|migrat(?:ed|ing)|transferred|switched|upgraded|updat(?:ed|ing)|different|new(?!\s+(?:e-?mail|address|office|phone|system|premises|portal|website|name|owner)))\b(?!\s+(?:daily|weekly|monthly|quarterly|annually|yearly|regularly|automatically|each|every|when|as soon|to an?|customers?)\b)`;
const GONE = String.raw`(?:clos(?:ed|ing)|shut|blocked|frozen|suspended|locked|retired|dormant|inactive|obsolete|unavailable|compromised|audit(?:ed)?|under (?:audit|review)|cancelled|discontinued|old|out of date|outdated|expired|not the (?:one|ones|same)|superseded|no longer (?:valid|in use|used|active|available|current|accept|receiv|operat)\w*)`;
const MADE_NEW =
  "(?:new|updated?|changed?|revised|amended|corrected|replacement|substitute|alternat(?:e|ive)|different|fresh)";
/** "The account you normally pay", "our former account", "those previously supplied" */
const OLD = String.raw`(?:${NOT_YOURS}(?:old|previous|former|earlier|prior|(?:our|the) (?:existing|usual))\s+(?:(?!invoice|statement|e-?mail|online|login|user|portal)\w+\s+)?(?:${DETAILS}|account${NO_BANK}|bank(?:er)?s?|(?<=usual )one)\b|\bour old ones?\b|\b(?:account|details|information|one|ones|those|numbers?|bsb)\s+(?:that |which |are )?(?:(?:we (?:gave|sent|supplied|used)|you (?:(?:normally|usually|currently|previously|already|now) )?(?:pay|use|have|hold|saved))\b(?! with us\b)|(?:saved|stored|held|kept|on (?:file|record))\b|(?:previously|earlier)\s+\w+))`;
const DO_NOT = String.raw`(?:do not|don['’]t|must not|should not|not to|not be|no longer|no more|stop|cease|discontinue|avoid|cannot|can['’]t|unable to|can no longer)\s+(?:(?:be|to|any|all|further)\s+)*(?:us|pay|send|transfer|deposit|remit|accept|receiv|direct|rely on)\w*(?! (?:by |in )?(?:cash|cheques?)\b)`;
const DEAD = String.raw`(?:${GONE}|no longer|wrong|incorrect|not (?:valid|active|available|in use)|returned|bounced?|rejected|lost|ignore|disregard|discard|delete|cancel|ceases?|stop|withdr[ae]w|replac\w+|supersed\w+|overwrit\w+|rather than|instead of|not(?= (?:to |into )?(?:the|our)\b)|${DO_NOT})`;
const PAY =
  "(?:pay(?:able|ments?|ing|s)?|remit(?:tances?)?|transfers?|deposits?|settle(?:d|ments?)?|funds|money|monies|receipts|process)";
/** "Our holding company's", "his personal", "Northgate's" */
const SOMEBODYS = String.raw`(?:(?:our|its|an?) (?:holding|parent|sister|associated?|related|subsidiary|affiliated?|group|treasury|overseas)(?:['’]s)?(?: (?:company|entity|office)(?:['’]s)?)?|(?:his|her|its|my|their)(?: \w+['’]s)?|our (?!company|firm|practice|club)\w+['’]s|(?<=\bpayable to )\w+['’]s)`;
const FROM_NOW = String.raw`(?:(?:from now|going forward|moving forward|henceforth|in future)(?: on)?|until further notice|effective (?:immediately|today|from|\d{1,2}\b)|with effect from|with immediate effect|as (?:from|of) (?:now|today|\d{1,2}\b)|(?:from|after) (?:this invoice|today|\d{1,2}\s+[a-z]{3,9}(?! (?:\d{4} )?(?:to|until|till|-)(?:\s|$)))(?: onwards?| on)?|for now|for the time being|in the meantime|temporarily|this (?:time|month|quarter)|for (?:this invoice only|the remaining|all further|subsequent))`;
const TO = String.raw`\b(?:to|into|in|at|with|through|via)\b(?! \d)`;
/** The account on the document, or the payee's. */
const OF_PAYEE = String.raw`\b(?:our|this|that|the(?= (?:bank |trust |business )?account (?:shown|printed|listed|given|quoted|above|below|here|on (?:this|the) (?:invoice|bill|document))))\s+`;
const CANNOT = String.raw`\b(?:can(?:not|['’]t| not| no longer)|(?:is|are) (?:\w+ )?(?:unable to|not able to|not accepting|not receiving)|(?:will|does|do) (?:not|no longer)|no longer)\s+(?:be (?:used|paid|credited)\b(?! (?:by|as|for|to)\b)|(?:accepts?|receives?|takes?|accept your|tak(?:e|ing))?\s*(?:(?:any|your|new|further|more|incoming) )*(?:payments?|deposits?|transfers?|money|funds|credits)\b(?! (?:in|by|from) (?:cash|cheques?|cards?|overseas|abroad)\b))`;
const REQUEST = String.raw`\b(?:ask|call|ring|phone|reply|respond|e-?mail|text|sms|contact|message|write)\b(?<!\b(?:if|should|when|whenever|unless|always|never|not|your bank|n['’]t)\b[^.!?]{0,40})(?! your bank)`;
const NEW_DETAILS = [
  // "Our new bank details", "the amended account number", "our interim account"
  String.raw`${NOT_YOURS}${MADE_NEW}\s+(?:set of )?${DETAILS}`,
  String.raw`${NOT_YOURS}(?:new|replacement|substitute|alternat(?:e|ive)|interim)\s+(?:${NAMED} )?${ACCOUNT}(?:s)?\b(?! (?:with us|(?:was|has been|is) (?:opened|set up|created))\b)|${NOT_YOURS}(?:new|different|alternat(?:e|ive)|former|previous|old) bank(?:er)?s?\b(?! (?:transfers?|holidays?|fees?|charges?|feeds?|guarantee|statements?|cheques?|loan|cards?|accounts?|details)\b)`,
  // "Bank details have changed", "our bank account is blocked", "details shown on the invoice are out of date"
  `${NOT_YOURS}(?:${DETAILS}|(?:our|the company['’]s) (?:${NAMED} )?${KIND_OF_ACCOUNT}(?:accounts?${NO_BANK}|banks?|bankers?))\\b${FILL}{0,40}?${IS}${FILL}{0,30}?\\b(?:${CHANGED}|${GONE})`,
  String.raw`\bour bank(?:er)?s? (?:(?:is|are) now|changed)\b|\bwe(?: are|['’]re) now with ${A_BANK}|\bpay my(?: \w+['’]s)? account\b|\b(?:our|the|this) ${ACCOUNT} (?:is|are) now (?:held|in the name|with|at)\b`,
  String.raw`\b(?:bank(?:ing)?|bsb|eft)(?: (?:account )?details)? (?:changed|updated|amended|revised)\b`,
  String.raw`\b(?:errors?|mistakes?|typos?|misprints?) (?:in|with|of) (?:our|the) ${DETAILS}|\b(?:carried|showed|had|has|contained|contains|printed|listed|quoted|included) (?:the|an?|our) (?:wrong|incorrect|old) (?:${DETAILS}|account|bank)\b|\b(?:give|tell|send|see|find|provide|confirm)\b${FILL}{0,20}\b(?:the|our) (?:right|correct) (?:account|details|one)\b|\b(?:in)?correct (?:${DETAILS}|account|ones)\b${FILL}{0,20}\b(?:is|are|was|were) (?:as|below|attached|shown|printed)\b`,
  String.raw`\b(?:our|the|this|that) (?:${DETAILS}|account)${FILL}{0,40}\b(?:on|in) (?:the|our|this|that)\b${FILL}{0,25}\b(?:is|are|was|were) (?:wrong|incorrect|invalid|a printing error)\b|\baccount on (?:the|our|this) \w+ has (?:a |been )?(?:hold|held|problem|block)`,
  // "We have changed our bank", "we switched from ANZ to another bank", "we lost access to our account", "we now bank with"
  String.raw`(?<!\b(?:on|of|about|for|with|your) )\b(?:chang(?:ed|ing)|switch(?:ed|ing)|mov(?:ed|ing)|updat(?:ed|ing)|clos(?:ed|ing)|revised|amended|replaced|lost (?:access to|control of)|restricted|limited|locked|blocked|froze|frozen|suspended|shut)\s+(?:(?:all )?our\s+(?:business |company |${NAMED} )?(?:${DETAILS}|${ACCOUNT}|bank(?:s|ing)?\b)|bank(?:s|ing)?\b(?! (?:rules?|feeds?)\b)|(?:bank|trust) account|account${NO_BANK}(?! details)|financial institutions?\b)`,
  String.raw`\b(?:we|we['’](?:ve|re)|company|has|have)\b[^.!?]{0,40}\b(?:(?:mov|switch|chang|transferr?|migrat|transition|shift)(?:ed|ing)|gone|going|went|come)\b[^.!?]{0,40}\b(?:to|from|across|over) ${A_BANK}`,
  String.raw`\b(?:now|no longer) bank(?:ing|s)? (?:with|at)\b|\bwe bank (?:elsewhere|with another)\b|\b${FROM_NOW}[^.!?;]{0,20}\bwe (?:are|will be|bank) (?:now )?with (?!the same\b)${A_BANK}`,
  String.raw`\b(?:we|company|had to)\b (?:(?:now|will|have|has|had to)\s+)*(?:use|have|open|opened)\s+(?:an?other|a (?:different|second|separate)) (?:\w+ )?account\b|\bhere (?:is|are) another account\b|\baccount (?:that |which )?we (?:have )?(?:just )?(?:set up|opened|created|nominated)\b|\bdifferent (?:bank )?account (?:to|from|than|this)\b`,
  String.raw`\bchanged where\b[^.!?]{0,20}\b(?:paid|settled|sent)\b|\b(?:receipts|receivables|(?<!card )${PAY}) (?:is|are) now (?:being )?(?:processed|handled|collected|received|managed|taken) (?:through|by|via|at)\b`,
  // "Our account details are now as follows", "we have had trouble with our account"
  `${NOT_YOURS}${DETAILS} (?:is|are) now (?:as follows|below|these|those|the following)\\b|\\b(?:trouble|problems?|issues?|difficult(?:y|ies)) with our (?:\\w+ )?${ACCOUNT}`,
  // "Please note a change of bank details"
  String.raw`(?<=\b(?:note|notice|notify|notification|advised?|advice|inform(?:ed)?|acknowledge|aware|attention|attached|action|approved|made|due to|following|because of|after)\b[^.!?]{0,40})\b(?:(?:changes?|amendments?|switch|move) (?:of|to|in) (?:our |the )?(?:${DETAILS}|bank(?:ing)?|${ACCOUNT}|payee)|(?:bank(?:ing)?|bsb|payee) (?:account |details )?(?:change|amendment)\b(?! form))`,
  String.raw`\b(?:changes?|switch|move) (?:of|in|to) (?:our )?(?:${DETAILS}|bank(?:ing)?|(?:bank|trust) account) (?:notification|notice|letter|advice)\b|\b(?:we (?:have|had)|there (?:is|has been)|our|recent) (?:an? |recent )?(?:change|switch|move) (?:of|in|to) (?:our |the )?(?:${A_BANK}|${DETAILS}|${ACCOUNT})`,
  // "Do not use our old account", "the account on file is suspended", "this supersedes the earlier details"
  `\\b${DEAD}[^.!?]{0,50}?${OLD}`,
  `${OLD}[^.!?]{0,50}?\\b${DEAD}`,
  `\\b(?:${DETAILS}|account)\\b${FILL}{0,40}\\b(?:supersed\\w+|replac(?:es?|ing|ed by))\\b`,
  `\\b(?:account|details)\\b${FILL}{0,30}\\b(?:not|rather than|instead of) (?:to |into |in )?(?:what|that|those|the (?:one|ones|account|details))\\b|\\b(?:not|n['’]t) [^.!?;]{0,20}\\b(?:in|to|into) the ${NAMED} (?:one|account)\\b`,
  String.raw`\b(?:${DO_NOT}|pay no more)\b[^.!?]{0,20}\b(?:account|${NAMED})(?: ending| any ?more| any longer)\b|\b(?:discontinue|stop|cease) (?:use|using|paying)(?: of)? (?:the |our )?(?:\w+ )?account\b|\bstop (?:all )?payments? (?:in)?to\b`,
  String.raw`\b(?:disregard|ignore|discard)\b[^.!?]{0,30}\b(?:${DETAILS}|details|those|ones|numbers) (?:at the (?:bottom|foot|top)|on (?:(?:our|the|any|all|your) )*(?:earlier|previous|prior|former|old|attached|invoice))`,
  String.raw`\bour\s+(?:bank\s+)?account\b[^.]{0,60}\b(?:under audit|audited|frozen|closed|suspended|do not use|not be used)\b`,
  // "Please amend our bank details", "update the account you have for us", "update your system with these details"
  String.raw`(?:^|[.!?:;,]\s*|\b(?:please|kindly|must|should|and|you to|that you)\s+)(?:amend|replace|overwrite|update|correct|change|delete|remove)\s+(?:our (?:\w+ )?${DETAILS}|(?:the|any) (?:\w+ )?(?:${DETAILS}|account|beneficiary|payee)\s+(?:you (?:have|hold)|saved|stored|on file|in your|and set up)\b|your (?:system|records?|files?|ledger) with (?:these|the (?:below|following|new)) details\b)`,
  // "The account is not the one you normally use"
  String.raw`\b(?:account|details|bsb)\b${FILL}{0,30}\b(?:differs?|(?:is|are) (?:different|not the (?:one|ones|same)))\b[^.!?]{0,20}\b(?:from|to|than|you|as)\b`,
  // "From now on pay into the account below", "payments must now be made to", "pay into a different account", "pay my daughter's account"
  `\\b${FROM_NOW}\\b[^.!?;]{0,40}\\b(?:use|send|divert\\w*|direct\\w*|${PAY})\\b(?! by)[^.!?;]{0,40}(?:${TO}[^.!?;]{0,40})?\\b(?:account|bank|${NAMED}|below|following)\\b`,
  `\\b${PAY}\\b(?! by)[^.!?;]{0,30}\\b${FROM_NOW}\\b[^.!?;]{0,40}${TO}[^.!?;]{0,40}\\b(?:account|bank|${NAMED}|below|following)\\b`,
  String.raw`\b(?:${PAY}|invoices?|debts?|amounts?) (?:must|should|will|need to|has to|have to|is to|are to|is|are) (?:now|from now on) (?:be )?(?:made|paid|sent|deposited|remitted|directed|go|payable) (?:in)?to\b(?! (?:confirm|secure|reserve|hold) (?:your|the|this)\b)`,
  String.raw`\bfuture ${PAY} (?:(?:must|should|are|will|to|be|go|made|sent|paid)\s+)+(?:in)?to\b|\b(?:redirect|divert)\w* (?:(?:your|the|all|any|this) )?${PAY}\b`,
  String.raw`\b(?:${PAY}|receiv\w+|send|forward|made?|goes?|go)\b${FILL}{0,40}\b(?:(?:to|into|in) (?:(?:an?other|an? (?:different|separate|alternat(?:e|ive))|(?:an?|our|the) (?:other|second)) (?:\w+ )?(?:account|bank)\b|${SOMEBODYS} (?:\w+ )?account\b)|to our (?:associated?|subsidiary|sister|parent|holding|related|affiliated?) (?:company|entity|business)\b)`,
  String.raw`\b(?:to|into) [^.!?;]{3,40}(?:account|${NAMED})\b[^.!?;]{0,10}\binstead\b|\binstead of (?:ours|our own|our account)\b`,
  // "Temporary remittance arrangements apply"
  String.raw`${NOT_YOURS}(?:${MADE_NEW}|temporary|interim|special) (?:bank(?:ing)?|payment|remittance|settlement|eft|deposit) (?:arrangements?|instructions?|details|procedures?|process)\b${FILL}{0,30}\b(?:apply|applies|(?:are|is) (?:in place|in force|now|as follows|below|attached))\b`,
  // "The account shown here can no longer receive payments. Text us for the current one"
  `${OF_PAYEE}(?:bank |trust |business )?account\\b(?! (?:is|will be|has been) (?:debited|charged))[^.!?;:\\d]{0,40}?${CANNOT}`,
  String.raw`\b(?:account${NO_BANK}|bsb|bank(?:ing)? details)\b[^!?]{0,90}${REQUEST}[^.!?]{0,60}\bfor (?:the|our|a|an) (?:current|latest|correct|right|new|valid|working|active|other) (?:ones?|numbers?)\b`,
  String.raw`${REQUEST}[^.!?]{0,60}\b(?:for|to get|to obtain) (?:the|our|my|an?) (?:(?:current|latest|correct|right|new|valid|working|active|other|updated) (?:bsb|(?:bank )?account${NO_BANK}|bank(?:ing)? details)|account (?:to use|to pay|you (?:should|must|can) (?:use|pay)))\b(?! of (?:your|the) \w+)`,
  // "Hold payment until we send the bank details", "ask me for our latest bank details"
  String.raw`\b(?:hold|wait|delay|withhold|pause)\b[^.!?]{0,40}\buntil\b[^.!?]{0,40}${DETAILS}`,
  String.raw`\b(?:ask|call|ring|phone|reply|respond|e-?mail|text|contact|message)\b(?<!\b(?:if|should|when|whenever|unless|always|never|not)\b[^.!?]{0,40})[^.!?]{0,40}\b(?:for|to (?:get|obtain|receive))\s+(?:(?:our|my|the|your)\s+)?(?:current|latest|correct|right|new|updated|revised)\s+(?:${DETAILS}|numbers?\b|details\b)`,
  String.raw`\b(?:print|show|list|publish|include|give|read|text|send|provide|supply)\w*\s+(?:you\s+)?(?:our|the)\s+(?:new|updated|changed|revised)\s+(?:details|ones?|numbers?)\b`,
].map((pattern) => new RegExp(pattern, "gi"));

/** "BANK DETAILS CHANGE", in a line or column of its own */
const HEADING =
  /^(?:important:?\s+)?(?:change (?:of|to|in) (?:our )?(?:bank(?:ing)?|account|payment) details|(?:bank(?:ing)?|account|payment) details (?:change|update)(?: notice)?)[.!:]*$/i;

/** Another part of the sentence: what is denied before it is not denied of what follows. */
const TURN = String.raw`(?:[;:]|,(?!\s*(?:e?-?mails?|letters?|sms|texts?|calls?|phone|messages?|or|nor|(?:tell|send|advise|give|text|call)\b)\b)|,\s*(?:call|text|ring) (?:us|me|our|\d)|\band (?:please |then |kindly )?(?:pay|use|send|transfer|deposit|save|update|note)\b|\b(?:but|except|unless|until|other than|apart from|after this|instead|please|therefore)\b)`;
const NO_TURN = `(?:(?!${TURN})[^.!?])`;
/** Details that are said to exist: "our new bank details", "the new account" */
const NOT_OURS = String.raw`(?:(?!\b(?:our|the|these|this|my)\s*$)${NO_TURN})`;
const TELLS =
  "(?:tell|send|advise|notify|e-?mail|text|sms|inform|give|provide|ask|announce|communicate|contact|call|ring|request)";
const CRIMINALS =
  "(?:criminals?|scammers?|fraudsters?|hackers?|thieves|impost[eo]rs?|(?:some|any)(?:one|body) (?:may|might|could)|any (?:person|call(?:er)?|e?-?mail|message|letter|text|request)s?)";
const DENIED_BEFORE = [
  // "We will never tell you of" new bank details, "we never send you our" new bank details, "never act on" new bank details
  String.raw`\b(?:never|we (?:will not|won['’]t|would not|do not|don['’]t|cannot))\b${NO_TURN}{0,40}\b${TELLS}\b${NOT_OURS}{0,60}$`,
  String.raw`\bnever (?:\w+ ){0,2}${TELLS}\b${NO_TURN}{0,60}$`,
  String.raw`\b(?:never|do not|don['’]t) (?:act on|accept|rely on|trust|reply to|respond to)\b${NOT_OURS}{0,60}$`,
  String.raw`\b(?:never|do not|don['’]t) (?:pay|use)(?: to| into| money to| any)?\s+$`,
  // "If you receive" new bank details, "should anybody tell you that our" bank details have changed
  String.raw`\b(?:if|when|whenever|should|in case) (?:you|any(?:one|body)|some(?:one|body)|${CRIMINALS}|an? (?:e?-?mail|call(?:er)?|message|letter|text))\b${NO_TURN}{0,50}\b(?:receiv\w+|gets?|asked|asks?|tells?|told|contacted|contacts?|notif\w+|advis\w+|gives?|sends?|sent|quotes?|claims?|offers?|says?|e-?mails?|calls?|hears?|sees?)\b(?:(?!\b(?:the|these|this)\s*$)${NO_TURN}){0,40}$`,
  // "Beware of e-mails with" new bank details, "any message about" new bank details
  String.raw`(?<!\b(?:not|never) )\b(?:beware of|be (?:wary|careful|suspicious|alert)\b|watch out for|ignore|disregard|scams?|frauds?|${CRIMINALS})\b${NOT_OURS}{0,60}$`,
  // "Always call us before you pay to" new bank details
  String.raw`\b(?:call|ring|phone|contact) (?:us|me)\b[^.!?]{0,20}\bbefore (?:you )?(?:pay|send|transfer|us|act|chang)\w*\b${NOT_OURS}{0,25}$`,
  // "Whether our" bank details have changed, "any" new bank details, "always check" new bank details
  String.raw`\b(?:if|should|whether|whenever|in case|any|no|always (?:\w+ ){0,3}(?:verify|confirm|check))\s+(?:(?:our|any|all|the) )?(?:new or )?$`,
  // "We are not liable for payments to" another account
  String.raw`\b(?:not|no) (?:be |accept |accepts )?(?:liable|liability|responsible|responsibility)\b[^.!?]{0,40}$`,
].map((pattern) => new RegExp(pattern, "i"));
/** "We have not" changed our bank: the words in front of it */
const NOT = /(?:\b(?:not|never)|n['’]t)\s+(?:ever |yet |recently |since |be |been |going to be )*$/i;
/** "Our bank details have not changed" */
const SAME =
  /(?:\b(?:not|never)|n['’]t)\s+(?:(?:ever|yet|recently|be|been|going to be)\s+){0,2}(?:changed?|changing|updated|moved|new|different)$/i;
/** "... except the account number", "... but are now with another bank" */
const EXCEPT =
  /^(?:[^.!?]{0,80}?|[^.!?]{0,80}[.!]\s+(?=(?:however|but|only|except|although|just|from now)\b))(?:\b(?:except|excluding|other than|apart from|aside from|besides|save for|with the exception of|but|however|although|though|from now|as of|(?:un)?till? (?=now|today|recently|yesterday|last|this))\b|(?:[,(.!–-]\s*|\bby )(?:only|just)\b)(?:(?!\b(?:if|call|ring|never|any|anyone|anybody|criminals?|scammers?|fraudsters?|beware|one|phone|fax|address|email)\b)[^.!?]){0,60}\b(?:accounts?|a\/c|bsb|banks?|branch|digits?|details|changed|updated|different|now|today|recently|yesterday|last|this|(?<!phone |fax |mobile )numbers?)\b/i;
/** "If you were told of new bank details, use them", "... he will read them to you" */
const USED_AFTER =
  /^(?:[^.!?]{0,80}?\b(?:(?:are|is) (?:below|attached|as follows|overleaf|shown|now)|use (?:the|these|those|this|them)|update (?:your|the|our)|(?:below|attached|following)(?! (?:numbers?|phone)))|[^!?]{0,80}?\bwill (?:text|read|give|send|tell|e-?mail|sms) (?:it|them|you (?:the|it|them)))\b/i;

const FALSE =
  /^[^.!?]{0,80}[.!?]\s+(?:(?:it|that|this|they|these|those)|(?:such|this|that|the) (?:e?-?mail|message|letter|notice|call)s?)\s+(?:(?:did|does|do)(?: not|n['’]t) come from us|(?:was|were|is|are)(?: not|n['’]t) (?:from us|sent by us|ours|genuine|true)|(?:was|were|is|are) (?:an? )?(?:fakes?|frauds?|fraudulent|scams?|hoax(?:es)?|forged|forger\w+|false))(?=[.,;:!]| and | please)/i;

/** Words that announce other bank details, which other words of their sentence do not deny. */
function findAnnouncement(whole: string): string | undefined {
  const matches = NEW_DETAILS.flatMap((pattern) => [...whole.matchAll(pattern)]);
  if (matches.length > MOST_MATCHES) return matches[0]?.[0];
  const announced = matches.find(({ 0: words, index }) => {
    const before = /[^.!?]*$/.exec(whole.slice(Math.max(0, index - LONGEST_CLAUSE), index))?.[0] ?? "";
    const after = whole.slice(index + words.length, index + words.length + LONGEST_CLAUSE);
    const isNot =
      NOT.test(before) && /^(?:chang|switch|mov|updat|pay|send|make|transfer|deposit|remit|redirect)/i.test(words);
    if (SAME.test(words) || isNot) return EXCEPT.test(after);
    // "Have our bank details changed?"
    const isAsked = /\b(?:have|has|are|is|did|will) (?:our|the|any) $/i.test(before) && /^[^.!]*\?/.test(after);
    // "You may have received an email that we moved. It did not come from us"
    const isFalse = /\b(?:e-?mails?|letters?|messages?|calls?|told)\b/i.test(before + words) && FALSE.test(after);
    const isDenied = isAsked || isFalse || DENIED_BEFORE.some((pattern) => pattern.test(before));
    return !isDenied || EXCEPT.test(after) || USED_AFTER.test(after);
  });
  return announced?.[0];
}
const LONGEST_CLAUSE = 160;
/** Nobody denies it so often, and each takes time. */
const MOST_MATCHES = 100;

/** Other words in between make it a warning against other accounts: "never pay any account other than the one above". */
const OF_THIS = String.raw`(?:(?!\b(?:other|another|any|anyone|different|new|old|former|previous|but|except|unless|until|if|as|your|cash|cheques?|reference)\b)[^.!?])`;
const OWN_ACCOUNT = String.raw`\b(?:our|(?:the|this|that)(?= (?:bank )?account (?:above|below|shown|printed|on)| (?:printed|attached|above) account))\s+(?:(?!(?:old|former|previous|prior|other|new|next)\b)[a-z]{1,20}\s+){0,2}(?:bsb and )?account(?:\s+(?:number|details|here|above|below|shown|printed|on (?:it|this invoice)))*(?:\s*\([^)]{0,60}\)|\s+(?:bsb\s*)?[\d -]{6,30}(?:account\s*[\d -]{4,30})?)?`;
/** Words between digits and what is said of them, in a sentence of the payer's own account or of another number. */
const OF_ACCOUNT = String.raw`(?:(?!\b(?:your|card|phone|mobile|abn|invoice|meter|reference|if|when)\b)[^.!?])`;
/** "digits", "two figures": "the final figure" may be an amount. */
const DIGITS = String.raw`(?:(?:(?:\d|one|two|three|four|five|six)\s+)?digits?|(?:\d|two|three|four|five|six)\s+(?:numbers|figures))`;
const OUT_OF_USE = String.raw`under (?:\w+ )?(?:review|audit|investigation|examination|maintenance)|(?:being )?(?:frozen|closed|suspended|blocked|locked|replaced|compromised)\b|being audited|on hold|unavailable|not (?:to be used|available|active|in use|accepting)|no longer (?:to be used|used|in use|active|valid|available|accepting)`;
const COIN =
  "(?:usd[tc]|tether|bitcoins?|btc|ethereum|eth|litecoin|crypto(?:currency|currencies)?|stablecoins?|(?:trc|erc|bep)-?20)";
/** What a business is not paid with: nobody gets it back. */
const CRYPTO = String.raw`(?:${COIN}|(?:gift|itunes|steam|google play|prepaid(?: \w+)?|scratch) (?:cards?|vouchers?)|vouchers?|western union|moneygram|remitly|worldremit|paysafecard)\b`;
/** "Never pay with", "scammers ask you to pay in", "you can pay with" */
const NOT_ASKED = String.raw`(?<!\b(?:never|not|n['’]t|scammers?|criminals?|fraudsters?|any(?:one|body)|if)\b[^.!?]{0,60}|\b(?:can|may|could|might|to|or|you|also)\s+)`;
/** Words before it, where no ordinary way to pay is named with it. */
const ONLY_SO = String.raw`(?:(?!\b(?:eft|cards?,|bank|transfers?|bpay|account|deposit|cash|cheques?|paypal|invoice)\b)[\w'’()&-]+,?\s+){0,4}`;
const REFUSALS = [
  // "Do not pay the account printed on it"
  `\\b(?:(?:do not|don['’]t|must not|should not|not to|stop|instead of|rather than)\\s+(?:pay|use|send|deposit|transfer|us)(?:ing)?|ignore|disregard)\\s+${OF_THIS}{0,30}\\b(?:account|bank details|bsb|payment details|the ones?)\\b${OF_THIS}{0,25}\\b(?:printed|shown|listed|quoted|given|above|below|on (?:it|(?:this|the|our|your) (?:\\w+ )?(?:invoice|bill|statement|document))|in the (?:attached|attachment|invoice))\\b(?! as (?:a|the|your)\\b)`,
  String.raw`\b(?:do not|don['’]t|no longer)\s+(?:use|(?:pay|send|transfer|deposit)\w*(?: \w+)? (?:in)?to)\s+this (?:bank )?account\b(?! number)`,
  // "Our account (062-000 12345678) is under review"
  `${OWN_ACCOUNT},?\\s+(?:is|are|was|has been|have been)\\s+(?:now |currently |temporarily |presently |being |also |recently |just )*(?:${OUT_OF_USE})`,
  // "The account shown here can no longer receive payments"
  `${OWN_ACCOUNT},?\\s+(?:can(?:not|['’]t| no longer)|no longer|does not|will not)\\s+(?:be used|receives?|accepts?|takes?)\\b(?! (?:cash|cheques?|cards?)\\b)`,
  // "Closed on 31 October: BSB 062-000 Account 12345678"
  String.raw`\b(?:closed|frozen|cancelled) (?:on|since|from|as (?:of|at)) (?:\d|the \d|today|yesterday)[^.!?]{0,20}[:,-]\s*(?:bsb|account|a\/c)\b`,
  // "I will text you the new BSB"
  String.raw`\b(?:i|we|he|she|they|accounts|details)(?:['’]ll| will| shall| am going to| are going to| is going to)(?<!\b(?:if|should|when|whenever|before|unless|case)\b[^.!?]{0,80})\s+(?:(?!never|not|always)\w+\s+){0,2}(?:text|sms|whatsapp|message|call|phone|ring|email|send|provide|forward|supply|give|let you know|be sent|be texted)\b[^.!?]{0,40}\b(?:new|updated|revised|correct|replacement|other|different)\s+(?:bsb|bank (?:account|details)|account (?:number|details)|payment details)\b`,
  // "We have moved our banking"
  String.raw`\b(?:have|has|['’]ve|had to)\s+(?:just |recently |now )?(?:move|moved|transfer|transferred|shift|shifted)\s+(?:all\s+)?(?:our\s+)?banking\b`,
  // "Direct deposit is no longer available"
  String.raw`\b(?:direct (?:deposits?|credits?)|bank (?:transfers?|deposits?)|eft|bank accounts?)\s+(?:(?:payments?|is|are|has|have|been|currently|now|temporarily)\s+){1,3}(?:no longer (?:available|accepted|possible|offered|supported|used|in use)|discontinued|suspended|disabled|replaced)\b`,
  // "Transfers will be returned after 30 November"
  String.raw`\b(?:transfers?|direct (?:deposits?|credits?)|eft payments?|payments to (?:this|the|our) account)(?! (?:without|with no|that|which|if|unless|quoting)\b)[^.!?]{0,15}\b(?:will|are to) be (?:returned|rejected|refused|sent back|bounced|declined)\b(?! (?:if|unless|without|when)\b)`,
  // "We no longer accept direct deposits"
  String.raw`\bno longer (?:accept|take|offer|support|receive|use)\w*\s+(?:payments?\s+(?:by|via|through)\s+)?(?:direct (?:deposits?|credits?)|(?:bank|electronic) (?:transfers?|deposits?)|eft)\b`,
  // "Reply to this email for our new bank details before you pay"
  String.raw`\b(?:reply|respond|write|call|ring|phone|text|contact|ask|email)\b(?<!\b(?:if|should|when|whenever|unless|always|never|not)\b[^.!?]{0,40})[^.!?]{0,30}\bfor\s+(?:(?:our|the|my|your)\s+)?(?:new|updated|revised)\s+(?:bank(?:ing)?|account|payment)\s+(?:details|information|number|instructions)\b`,
  // "The last two digits of our account are now 37", "our account ends in 82, not 80"
  `\\b(?:last|first|final|middle|(?:\\d|[a-z]{3,7})(?:st|nd|rd|th))\\b(?<!\\b(?:if|should|when|whenever|unless|case)\\b[^.!?]{0,50})\\s+${DIGITS}\\b${OF_ACCOUNT}{0,60}?\\b(?:(?:is|are|has|have|was|were)(?:\\s+been)?\\s+(?:now|wrong|incorrect|misprinted|changed|replaced)|(?:should|must|needs? to|ought to)\\s+(?:be|read)|(?:read|is|are|becomes?)\\s+\\d{1,4}\\b[^.!?]{0,12}\\bnot\\s+\\d)`,
  String.raw`\b(?:account|bsb|a\/c)\b[^.!?]{0,40}\b(?:ends?|ending|finish(?:es|ing)?|starts?|starting|begins?|beginning)\s+(?:(?:in|with)\s+)?\d{1,4}\b[^.!?\d]{0,20}\b(?:not|instead of|rather than)\s+(?:(?:in|with)\s+)?\d`,
  `\\b(?:replace|change|swap)\\s+(?:the\\s+)?(?:last|first|final)\\s+${DIGITS}\\b${OF_ACCOUNT}{0,60}\\b(?:account|bsb|with|to|as)\\b`,
  // "Pay in USDT", "until further notice pay through this link"
  `(?:^|[.!?:,;]\\s*|\\b(?:please|kindly|must|only|further notice|instead|payment)\\s+)(?:pay|be made|is to be made|send (?:it|funds|payment|the (?:money|funds|payment|amount)))\\s+(?:[\\w$,.]+\\s+){0,5}?(?:in|with|by|via|using)\\s+(?:our\\s+)?${CRYPTO}`,
  // "Send the amount by Western Union", "settle with Steam gift cards", "payment in USDT only"
  `${NOT_ASKED}\\b(?:pay|settle|remit|be (?:paid|made)|(?:send|transfer|deposit|forward) (?:it|us|funds|payments?|(?:the|this) (?:money|funds|payment|amount|total|balance|sum|invoice))|payable|payments?(?: is| are)?(?: accepted| due)?)\\s+(?:it |us |this (?:invoice )?|the (?:\\w+ )?(?:amount|total|balance|invoice) )?(?:in|with|by|via|using|through|as)\\s+${ONLY_SO}${CRYPTO}(?!,? (?:or|and) (?:by )?(?:eft|bank|cards?|transfer|direct|cheque|cash|bpay))`,
  `${NOT_ASKED}\\b(?:(?:transfer|send|deposit) (?:the |this )?(?:amount|total|balance|sum|it) in ${COIN}\\b|${CRYPTO}(?: ?\\([^)]{1,20}\\))? only\\b|mtcn\\b|(?:${COIN}|our)\\W+(?:\\w+\\W+){0,3}wallet address\\b|(?:to|into) (?:the|our|this) wallet (?:address|below)\\b)`,
  `\\b(?:${COIN}|wallet)\\b[^!?]{0,80}\\b(?:T[1-9A-HJ-NP-Za-km-z]{30,34}|0x[0-9a-f]{38,42}|bc1[a-z0-9]{25,60}|[13](?=\\w*[a-z])[1-9A-HJ-NP-Za-km-z]{25,34})\\b`,
  String.raw`${NOT_ASKED}\b(?:buy|purchase|get|obtain)\b[^.!?]{0,40}\b(?:gift|google play|itunes|steam|prepaid(?: \w+)?) (?:cards?|vouchers?)\b[^!?]{0,80}\b(?:codes?|photos?|pictures?|pins?|scratch\w*)\b`,
  String.raw`(?:\b(?:until further notice|from now on|this time|for now)\b[^.!?]{0,20}\bpay\b[^.!?]{0,30}\b(?:this|the|our)(?: \w+){0,2} link\b|\bpay\b(?<!\b(?:if|or|prefer|can|may)\b[^.!?]{0,60})[^.!?]{0,30}\b(?:this|the|our)(?: \w+){0,2} link\b[^.!?]{0,20}\b(?:instead of|rather than|and not)\b[^.!?]{0,20}\b(?:account|bank|transfer|bsb|eft))`,
].map((pattern) => new RegExp(pattern, "i"));

const COLLECTORS = String.raw`(?:debt collectors?|(?:our|a|the) (?:collectors?|factors?|financiers?)\b|(?:collections?|debt|debt collection|recovery|factoring|receivables?|escrow|payments?) (?:agents?|agency|agencies|partners?|company|firm|providers?|managers?|house))`;
/** "Overdue accounts are passed to our collection agency, and you pay its costs" says who may come, not whom to pay. */
const OVERDUE = String.raw`\b(?:overdue|unpaid|late|default|refer\w*|pass\w*|hand\w*|cost\w*|fees?|charges|expenses|if|may|unless|until|not|never)\b`;
const IN_TIME = `(?:(?!${OVERDUE})[^.!?])`;
/** "Please pay our collections agent", "our factoring partner now collects for us", "this invoice has been assigned to" */
const COLLECTS = [
  `\\b(?:pay|payments?|remit|send|transfer|deposit|settle)\\b${IN_TIME}{0,60}\\b${COLLECTORS}`,
  `\\b${COLLECTORS}\\b${IN_TIME}{0,30}\\b(?:collects?|is collecting|receives?|takes?|accepts?|manages?|handles?|processes)\\b`,
  `\\b(?:appointed|engaged|authorised|instructed)\\b${IN_TIME}{0,40}\\bto (?:collect|receive)\\b${IN_TIME}{0,30}\\b(?:receivables?|payments?|invoices?|accounts?|debts?|monies|money)\\b`,
  String.raw`\b(?:invoices?|debts?|receivables?)\b[^.!?]{0,30}\b(?:been|are|is|were|was) (?:now )?(?:assigned|sold|ceded) to\b`,
].map((pattern) => new RegExp(pattern, "i"));

const quoted = (lines: readonly Line[], words: string): string[] => {
  const row = lines.findIndex(({ text }) => text.replaceAll("\t", " ").includes(words.trim().slice(0, 12)));
  return [(row >= 0 ? (lines[row]?.text.replaceAll("\t", "  ") ?? "") : words.trim()).slice(0, 200)];
};

/** The sentence of the words speaks of accounts that are not paid in time. */
const isOverdue = (whole: string, { index }: RegExpExecArray): boolean =>
  new RegExp(OVERDUE, "i").test(/[^.!?]*$/.exec(whole.slice(Math.max(0, index - 160), index))?.[0] ?? "");

type Found = { code: FindingCode; lines?: string[] };

const headingsOf = (lines: readonly Line[]) => lines.flatMap((line) => cellsOf(line).map(({ text }) => text.trim()));

/** Words that announce new bank details, speak against those on the document, or name somebody else who is to be paid. */
export function findAnnounced(lines: readonly Line[]): Found[] {
  const whole = lines.map(({ text }) => text.replaceAll("\t", " ")).join(" ");
  const refused = REFUSALS.map((pattern) => pattern.exec(whole)?.[0]).find((words) => words !== undefined);
  const collector = COLLECTS.map((pattern) => pattern.exec(whole)).find((match) => match && !isOverdue(whole, match));
  const said: readonly [FindingCode, string | undefined][] = [
    ["new_bank_details_words", findAnnouncement(whole) ?? headingsOf(lines).find((text) => HEADING.test(text))],
    ["refused_account_words", refused],
    ["collector", collector?.[0]],
  ];
  return said.flatMap(([code, words]) => (words === undefined ? [] : [{ code, lines: quoted(lines, words) }]));
}

/** What is collected, or was paid: "will be debited on", "charged to your card", "balance due $0.00", "paid in full" */
const COLLECTED = [
  /\b(?:will be|is to be|was|were|has been|been|we(?: will|['’]ll)|is|are)\s+(?:(?:now|automatically|directly|direct|auto)[\s-]+)*(?:debit(?:ed)?|deduct(?:ed)?|(?:drawn|taken|collected) from)\b(?! cards?\b)/i,
  /\bleaves your (?:\w+ )?account\b|\bautomatic payment\b|\bdirect debit (?:authority|request)\b[^.!?]{0,30}\bcovers\b/i,
  /\b(?:paid|collected|payable) by direct debit\b|\bdirect debit (?:on|from|of|will|is due|has been|was)\b/i,
  /\b(?:charged?|billed|paid) (?:to |with |by |from |on )?(?:your |the |a )?(?:saved |stored |credit |debit |visa |mastercard |amex )*(?:card|visa|mastercard)\b[^.!?]{0,20}(?:\bend(?:s|ing)\b|\bon (?:file|\d)|[*•x]{2,})/i,
  /(?<!\b(?:until|unless|if|once|when|after|till|not|must|be)\b[^.!?]{0,60})\b(?:paid in full|fully paid|paid with thanks|payment (?:was |has been )?received (?:with thanks|in full))\b/i,
  /\b(?:balance|amount|total) (?:now )?(?:due|owing|payable|outstanding|to pay)\s*:?\s*(?:(?:aud|a)?\s?\$\s?0(?:\.00)?(?![\d.])|nil\b)/i,
  /\b(?:no (?:further )?payment (?:is )?(?:due|required|needed|necessary)|nothing (?:more |further |else )?(?:is )?(?:to pay|due|owing|payable)|no amount (?:is )?(?:due|owing))\b/i,
];
/** "Receipt", "quote": no bill, unless it is called one too. */
const NO_BILL =
  /^(?:(?:official|tax|payment|cash|sales|payment) )*(?:receipts?|quotes?|quotations?|estimates?|proposal|remittance advice|delivery (?:docket|note)|packing slip)$/i;

/** Nobody is asked to pay: it was paid, it will be collected, or it is no bill. */
const asksNoPayment = (lines: readonly Line[], headings: readonly string[]): boolean =>
  (headings.some((text) => NO_BILL.test(text)) && !headings.some((text) => /^(?:tax )?invoice\b/i.test(text))) ||
  headings.includes("PAID") ||
  COLLECTED.some((words) => words.test(lines.map(({ text }) => text.replaceAll("\t", " ")).join(" ")));

/** What kind of document it is, judged by its words. */
export function findKinds(lines: readonly Line[]): Found[] {
  const headings = headingsOf(lines);
  const found: Found[] = [...findAnnounced(lines), ...findWrongSum(lines), ...findWrongAbns(lines)];
  if (headings.some((text) => /^(?:tax\s+)?(?:credit|adjustment)\s+note\b/i.test(text)))
    found.push({ code: "credit_note" });
  if (
    headings.some((text) =>
      /^(?:account\s+|customer\s+|monthly\s+)?statement(?:\s+of\s+account)?\b\s*(?:$|#|no|number|date|period|for|\d)/i.test(
        text,
      ),
    )
  )
    found.push({ code: "statement" });
  if (found.some(({ code }) => code === "credit_note" || code === "statement") || asksNoPayment(lines, headings))
    found.push({ code: "asks_no_payment" });
  return found;
}
