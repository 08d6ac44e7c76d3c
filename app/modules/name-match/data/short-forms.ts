/**
 * Short form = full word; they compare as equal in organisations' names. From Corporations Regulations Schedule 6 and
 * common Australian usage.
 */
export const ABBREVIATIONS =
  "aust=australia aus=australia austr=australia co=company coy=company cos=companies corp=corporation corpn=corporation " +
  "assoc=association assn=association asscn=association assocs=associates bros=brothers bro=brothers dept=department " +
  "dpt=department govt=government intl=international int=international natl=national nat=national mgmt=management " +
  "mngmt=management manag=management svcs=services svc=service serv=services tech=technology techs=technologies " +
  "eng=engineering engg=engineering elec=electrical elect=electrical mfg=manufacturing mfrs=manufacturers hldgs=holdings " +
  "hldg=holding hlds=holdings grp=group invest=investments investmts=investments invs=investments props=properties prop=property " +
  "dev=development devs=developments constr=construction const=constructions distrib=distributors dist=district " +
  "ctr=centre cntr=centre center=centre ctre=centre comm=community cttee=committee ctee=committee soc=society inst=institute " +
  "uni=university univ=university hosp=hospital fdn=foundation fndn=foundation fed=federation ind=industries inds=industries " +
  "mt=mount nth=north sth=south ste=saint st=saint ft=fort rd=road ave=avenue hwy=highway " +
  "incorp=incorporated incorporated=inc proprietary=pty limited=ltd ltda=ltd unlimited=unltd " +
  "super=superannuation sf=superannuation nom=nominees noms=nominees ents=enterprises ent=enterprises tpt=transport transp=transport " +
  "victoria=vic queensland=qld tasmania=tas num=number acc=account accts=accounts adv=advisory cons=consulting " +
  "a/c=account coop=cooperative co-op=cooperative dr=doctor pharm=pharmacy chem=chemist rest=restaurant restaurants=restaurant " +
  "ors=others tv=television hq=headquarters nationals=national ptnrs=partners ptnr=partner ptrs=partners";

/** A second reading of an ambiguous short form. */
export const SECOND_READINGS = "st=street assoc=associates corp=corporate co=corporation";

/** Adjective = its place: close enough that a person should look, but never equal. */
export const ADJECTIVES =
  "australian=australia victorian=vic tasmanian=tas queenslander=qld westernaustralian=wa southaustralian=sa asian=asia american=america european=europe " +
  "british=britain scottish=scotland irish=ireland canadian=canada indian=india chinese=china japanese=japan african=africa italian=italy german=germany french=france";

/** Phrases that are read as one word. If two share their start, the longer comes first. */
export const PHRASES: ReadonlyArray<readonly [phrase: string, word: string]> = [
  ["new south wales", "nsw"],
  ["western australian", "westernaustralian"],
  ["western australia", "wa"],
  ["south australian", "southaustralian"],
  ["south australia", "sa"],
  ["northern territory", "nt"],
  ["australian capital territory", "act"],
  ["new zealand", "nz"],
  ["united kingdom", "uk"],
  ["united states of america", "usa"],
  ["united states", "usa"],
  ["hong kong", "hongkong"],
  ["sri lanka", "srilanka"],
  ["no liability", "nl"],
  ["limited liability company", "llc"],
  ["limited liability partnership", "llp"],
  ["public limited company", "plc"],
  ["open joint stock company", "ojsc"],
  ["joint stock company", "jsc"],
  ["public joint stock company", "pao"],
  ["sp z o o", "spzoo"],
  ["sp zoo", "spzoo"],
  ["s a r l", "sarl"],
  ["co operative", "cooperative"],
  ["sub branch", "subbranch"],
  ["strata plan", "sp"],
  ["as trustee for", "atf"],
  ["as trustees for", "atf"],
  ["as the trustee for", "atf"],
  ["as the trustees for", "atf"],
  ["as trustee of", "atf"],
  ["as tte for", "atf"],
  ["as ttee for", "atf"],
  ["as trustee forthe", "atf"],
  ["as trustees forthe", "atf"],
  ["trustee forthe", "trusteefor"],
  ["ttee for", "atf"],
  ["tte for", "atf"],
  ["the trustee for", "trusteefor"],
  ["the trustees for", "trusteefor"],
  ["the trustee of", "trusteefor"],
  ["the trustees of", "trusteefor"],
  ["trustee for", "trusteefor"],
  ["trustees for", "trusteefor"],
  ["trustee of", "trusteefor"],
  ["trading as", "t/a"],
  ["trading under", "t/a"],
  ["doing business as", "t/a"],
  ["also known as", "aka"],
  ["formerly known as", "formerly"],
  ["the estate of the late", "estateof"],
  ["the estate of", "estateof"],
  ["estate of the late", "estateof"],
  ["estate of late", "estateof"],
  ["estate of", "estateof"],
  ["estate late", "estateof"],
  ["the late", "late"],
  ["care of", "c/o"],
  ["self managed super fund", "smsf"],
  ["self managed superannuation fund", "smsf"],
];

/** Number words = digits, including ordinals. */
export const NUMBER_WORDS =
  "zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 " +
  "fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fourty=40 " +
  "fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 hundred=100 first=1st second=2nd third=3rd fourth=4th fifth=5th sixth=6th " +
  "seventh=7th eighth=8th ninth=9th tenth=10th eleventh=11th twelfth=12th";

/** Roman numerals that are not also common words or initials. */
export const ROMAN_NUMERALS = "ii=2 iii=3 iv=4 vi=6 vii=7 viii=8 ix=9 xi=11 xii=12";

/** Connectors that introduce another name, and what that part is. */
export const CONNECTORS =
  "t/a=trading t/as=trading d/b/a=trading dba=trading atf=trustee a/t/f=trustee t/f=trustee ta=trading aka=alias a/k/a=alias f/k/a=alias fka=alias " +
  "formerly=alias nee=alias c/o=care c/-=care trusteefor=style";

/** Connectors with a typing error. */
export const CONNECTOR_SLIPS = "aft=trustee t/s=trading";
