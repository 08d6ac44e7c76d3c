/** Names of places. The canonical names of states are the short ones; see short-forms.ts. */

export const COUNTRIES =
  "australia australian australasia australasian zealand nz uk usa us america american asia asian pacific europe european china chinese " +
  "india indian japan japanese korea korean singapore malaysia indonesia thailand vietnam philippines hongkong " +
  "canada canadian germany german france french italy italian spain spanish portugal greece greek turkey russia " +
  "ukraine poland sweden swedish norway norge norwegian denmark danish finland iceland ireland irish scotland scottish wales " +
  "england english britain british netherlands dutch holland belgium belgian switzerland swiss austria austrian " +
  "hungary romania bulgaria serbia croatia slovenia armenia georgia israel iran iraq egypt kenya nigeria brazil " +
  "argentina chile mexico peru colombia samoa tonga fiji papua guinea oceania africa african lebanon pakistan " +
  "bangladesh nepal srilanka taiwan queensland's emea apac anz europa worldwide latvia lithuania estonia luxembourg malta cyprus";

export const STATES = "nsw vic qld sa wa tas nt act tasmanian victorian queenslander";

export const COMPASS_WORDS =
  "north south east west northern southern eastern western northeast northwest southeast southwest central upper " +
  "lower inner outer mid far metropolitan metro";

export const PLACES =
  "sydney melbourne brisbane perth adelaide hobart darwin canberra newcastle wollongong geelong townsville cairns " +
  "toowoomba ballarat bendigo albury wodonga launceston mackay rockhampton bunbury bundaberg hervey wagga mildura " +
  "shepparton gladstone tamworth traralgon orange bowral geraldton dubbo nowra bathurst warrnambool kalgoorlie " +
  "albany devonport busselton lismore burnie goulburn gympie armidale mandurah fremantle joondalup rockingham " +
  "parramatta penrith liverpool blacktown campbelltown bankstown fairfield hurstville sutherland cronulla manly " +
  "mosman chatswood hornsby ryde epping strathfield burwood ashfield leichhardt newtown marrickville bondi randwick " +
  "coogee maroubra redfern glebe pyrmont surry paddington darlinghurst potts woollahra alexandria mascot botany " +
  "kogarah rockdale auburn granville merrylands gosford wyong cessnock maitland singleton muswellbrook kiama " +
  "shellharbour bega cooma queanbeyan yass young cowra parkes forbes griffith leeton broken moree narrabri gunnedah " +
  "inverell grafton coffs kempsey taree forster byron ballina tweed murwillumbah casino nambucca richmond carlton " +
  "fitzroy collingwood brunswick northcote preston coburg footscray sunshine werribee williamstown essendon moonee " +
  "kew hawthorn camberwell malvern caulfield brighton sandringham moorabbin dandenong frankston mornington " +
  "cranbourne berwick pakenham ringwood croydon lilydale doncaster templestowe heidelberg greensborough eltham " +
  "bundoora craigieburn sunbury melton bacchus ararat horsham hamilton portland colac echuca wangaratta benalla " +
  "seymour sale bairnsdale moe morwell warragul wonthaggi swan kerang ipswich logan redcliffe caboolture " +
  "maroochydore noosa nambour caloundra southport surfers coolangatta nerang beenleigh cleveland redland chermside " +
  "toowong indooroopilly fortitude warwick kingaroy emerald roma longreach charleville dalby goondiwindi " +
  "maryborough yeppoon ayr bowen ingham innisfail atherton mareeba weipa mount gawler murray mount gambier whyalla " +
  "augusta lincoln pirie renmark berri naracoorte victor glenelg norwood unley burnside prospect salisbury elizabeth " +
  "modbury marion karratha hedland broome kununurra carnarvon esperance northam narrogin collie margaret subiaco " +
  "cottesloe claremont nedlands osborne morley midland armadale cannington palmerston alice katherine nhulunbuy " +
  "tennant ulverstone wynyard smithton kingston glenorchy clarence fyshwick belconnen gungahlin tuggeranong woden " +
  "civic braddon dickson london york paris tokyo berlin auckland wellington christchurch dunedin waikato otago " +
  "chicago boston dallas houston atlanta seattle angeles francisco toronto vancouver montreal dublin edinburgh " +
  "glasgow manchester birmingham leeds bristol cardiff belfast amsterdam rotterdam brussels zurich geneva vienna " +
  "madrid barcelona lisbon rome milan munich frankfurt hamburg stockholm oslo copenhagen helsinki moscow beijing " +
  "shanghai shenzhen guangzhou mumbai delhi bangalore chennai hong kong seoul osaka dubai abu dhabi doha bangkok jakarta manila " +
  "illawarra hunter gippsland riverina pilbara kimberley goldfields mallee wimmera barossa tablelands darling downs " +
  "hinterland peninsula highlands riverland shoalhaven hawkesbury macarthur gwydir nillumbik mornington yarra " +
  "ashgrove bulimba carina stafford kelvin everton nundah sandgate wynnum capalaba sunnybank mansfield inala goodna " +
  "brighton kilsyth boronia bayswater knox monash kingston whitehorse banyule darebin moreland hume wyndham cardinia " +
  "casey stonnington boroondara glen eira port phillip maribyrnong brimbank toorak yarraville docklands southbank " +
  "castle lane cove willoughby hills ku-ring-gai pittwater waverley woollahra bayside cumberland inner camden " +
  "wollondilly lithgow mudgee cobar bourke walgett lightning deniliquin tumut temora junee corowa yamba iluka";
