/** Words of organisations' names, by what they indicate. Short forms are in short-forms.ts. */

export const GROUP_WORDS =
  "group groups holding holdings nominee nominees service services investment investments property properties " +
  "enterprise enterprises corporation company companies capital partners partner associates international global " +
  "worldwide developments development management solutions industries industry ventures venture trading " +
  "operations finance financial resources projects project systems consolidated securities administration " +
  "assets asset equities equity funds leasing rentals rental national corporate limited partnership brothers sons " +
  "agencies consultants custodian custodians acquisitions infrastructure products";

export const TRADE_WORDS =
  "accountants accountant accounting advisers advisory advisors advice aged agency agricultural agriculture air " +
  "airconditioning airlines alliance aluminium ambulance animal antiques apartments appliances architects architecture " +
  "art arts asphalt association attorneys auction auctions audio authority auto automotive aviation awnings bakehouse " +
  "bakery bank banking bar barbers barristers bathrooms batteries beauty beef bikes blinds boat boats bookkeeping " +
  "books bookshop boutique bricklaying bricks broadcasting brokers brokerage builders building bus buses butchers " +
  "cabinetmakers cabinets cabling cabs cafe camp canvas car care career caravan caravans cargo carpentry carpet carpets cars " +
  "cartage casino catering catholic cattle cellars cement cemetery centre centres ceramics chamber charters chemicals chemist chicken " +
  "childcare children childrens china christian church cinema civil cleaners cleaning clearing clinic clothing club clubs " +
  "coach coaches coal coatings coffee college commerce commercial commission committee communications community " +
  "compensation components computers computing concrete concreting confectionery conservation construction " +
  "constructions consultancy consulting contracting contractors control conveyancing cooling cooperative copper corrosion " +
  "cosmetics cottages council councils counselling country couriers court covers craft cranes creative credit cricket " +
  "crop culture curtains cycles dairy dance data deli delivery democratic democrats demolition dental dentist " +
  "dentists department design designs detailing diagnostics diesel digital discount dispensary distribution " +
  "distributors district docks doors drafting drainage driving drilling early earthmoving eatery economic " +
  "education educational electoral electric electrical electrician electricians electronics elevators employees employers " +
  "energy engine engineering engineers engines entertainment environment environmental equestrian equipment estate " +
  "excavation excavations exchange exhibitions exploration export exports express eyewear fabrication fabrications " +
  "farm farmers farming farms fashion federation fencing fertilisers festival film finishes fire fisheries fishing fitness " +
  "flooring floors florist florists flowers food foods football forestry formwork forum foundation foundry framing " +
  "franchise freight freighters fresh fruit fuel fuels funerals furnishings furniture gallery games garage garden gardens gas " +
  "gases geelong general gifts glass glazing gold golf gourmet government grain grains granite graphics green greens grocers " +
  "growers guild gym gymnastics hair hairdressers hairdressing hardware harvest haulage health healthcare heating helicopters " +
  "heritage high hire hockey homewares home homes honey horse hospital hospitality hosting hotel hotels house housing " +
  "hydraulics ice imaging import imports independent information innovation innovations institute insulation " +
  "insurance insurances interiors internet iron irrigation jewellers jewellery joinery journal juice junior kennels kids kinder " +
  "kindergarten kitchen kitchens labor laboratories laboratory labour ladies land landscape landscapers landscapes " +
  "landscaping laundry law lawn lawns lawyers league learning leather legal leisure liberal library life lighting " +
  "limestone linen liquor lithium livestock local locksmiths logistics logging lodge lounge machinery mail maintenance " +
  "manufacturers manufacturing marine marina maritime market marketing markets marquees masonry massage materials " +
  "mechanical media medical medicine memorial metal metals migration milk mill minerals mines mining mobile mortgage " +
  "mortgages motel motor motors mowing municipal museum music mutual natural netball network networks news newsagency " +
  "newspapers nickel nursery nurses nursing occupational oil optical optometrists orchard orchards order orchestra " +
  "organic organics organisation organization outdoor packaging painters painting paint paints panel paper parish park parking parks parliamentary " +
  "party pastoral pathology patisserie paving people performance personnel pest pet petroleum pets pharmaceuticals " +
  "pharmacy phone photography physio physiotherapy pictures pies pilates pipeline pipelines pizza plant plants plastering " +
  "plastics playgroup plumbers plumbing podiatry police polish pool pools port ports post poultry power precision " +
  "preschool press primary print printers printing private produce productions professional promotions protection " +
  "psychology pub public publications publishers publishing pumps quarries quarry racing radio radiology rail railways " +
  "realty recovery recreation recruitment recycling refrigeration rehabilitation removals renovations repairs " +
  "representatives research residential restaurant restaurants retail retirement ridge road roads roofing roofs rowing " +
  "rural safety sailing sales salon sand sandwich savings scaffolding school schools science scientific seafood seafoods " +
  "security seeds senior seniors shearing shed sheds shipping shipyard shire shoes shop shops shopping shutters signs " +
  "skills skin small social society software soil solar solicitors space spas sports sport stables staff staffing stairs station " +
  "stationery steel stone storage store stores strategic strata street stud studio studios styling supermarket " +
  "supermarkets supplies supply support surf surgery surveyors surveying surveys sustainability swim swimming tailors " +
  "tanks tattoo tavern tax taxi taxis tea teachers technical technologies technology telecom telecommunications " +
  "television tennis testing textiles theatre theatres therapy tiles tiling timber timbers tobacco tools tourism tours " +
  "town towing toys trade trades traffic trailers training trams transit translation transport travel treasury " +
  "treatment tree trees truck trucks tyre tyres undertakers uniforms union unions united university upholstery urban " +
  "utilities valuers vehicle vehicles vending veterinary vets video village vineyard vineyards vision vocational " +
  "volleyball warehouse waste water watches wealth weddings welding welfare wellbeing wellness wheels wholesale wholesalers " +
  "windows wine winery winemakers wines women womens wood wool workers works workshop workshops yacht yachts yarns yoga youth zoo " +
  "boys girls men mens parents rotary lions scouts guides rsl surf lifesaving bowling bowls rugby soccer softball netball tafe " +
  "automation robotics biotech pharma fintech crypto labs lab interactive ecommerce online web websites apps";

/** Words that distinguish a school or club from a neighbour with nearly the same name. */
export const DISTINGUISHING_WORDS =
  "girls boys women womens ladies men mens junior juniors senior seniors primary secondary under over early";

export const BRANCH_WORDS = "branch division office chapter region regional depot subbranch headquarters";

/** The purpose of an account; the holder stays the same, but a person should look. */
export const PURPOSE_WORDS =
  "account accounts payroll wages deductions deduction office operating general savings trading expenses petty cheque donations";

/** Words and letters of references that people type into a name field. */
export const REFERENCE_WORDS = "abn acn arbn invoice inv ref reference rent phone ph mobile mob tel payment bsb acct";

export const PLACEHOLDER_WORDS =
  "test testing tba tbc tbd na nil none null unknown undefined xxx xx asdf asdfgh qwerty placeholder name payee " +
  "supplier customer vendor sample example dummy anonymous blank empty nobody";

export const LINK_WORDS = "of for in at on by to from with du und et y";

/**
 * Legal forms. Australian abbreviations: Corporations Act 2001 s 149 and Corporations Regulations Schedule 6
 * (Pty = Proprietary, Ltd = Limited, NL = No Liability); foreign forms as registers use them.
 */
export const LEGAL_WORDS = "pty ptyltd proprietary ltd limited inc incorporated unlimited unltd";

/** Forms that are also ordinary letters or words: they count only at the end of a name (or, for some, at its start). */
export const END_FORMS =
  "nl llc llp lp plc gmbh ag sarl bv nv ab oy oyj spa srl kg kgaa ooo oao pao zao jsc ojsc cjsc doo ad kft zrt sro aps asa pl pte bhd sdn kk pt tbk";

/** Forms that some countries put first: "OOO Example", "PT Example". */
export const START_FORMS = "ooo oao pao zao ojsc cjsc jsc pt ao";

/** Words for account holders that are not companies. */
export const ENTITY_WORDS = "trust trusts trustee trustees super superannuation smsf fund estate deceased";
export const TRUST_KIND_WORDS = "family unit discretionary hybrid charitable testamentary";

/** Forms that people join to the next word without a space ("LtdATF"). */
export const JOINED_FORMS = "ltd limited inc p/l ptyltd";

/** Connectors that people join to a following "the" without a space ("ATFThe"). */
export const JOINED_CONNECTORS = "atf t/a t/as t/f";
