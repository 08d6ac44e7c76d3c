/**
 * Given names with their short or familiar forms, one family per line. From general knowledge, checked against open
 * nickname lists. A form may belong to several families ("Alex").
 */
export const NICKNAME_FAMILIES = `
aaron ron ronnie
abigail abby abbie abbey gail
abraham abe bram
adam ad
adelaide addie heidi
adrian ade
agnes aggie nessa
alan al
alastair al ali
albert al bert bertie
alexander alex al alec sandy sasha xander lex
alexandra alex alexa sandra sandy sasha lexi
alexandros alexander alex
alfred alf fred alfie freddie
alice ali
alison ali ally allie
amanda mandy manda
amelia amy millie mel
anastasia ana stacey stacy
andrea andie drea
andrew andy drew
andreas andrew andy
angela ange angie
angelina angie lina
angelo ange
ann annie nan
anna ann annie
annabel anna bella belle
anne annie
anthony tony ant
antonio tony anthony
antonios tony anthony
antonia toni tony
apostolos paul
archibald archie
arthur art artie
ashley ash
athanasios arthur tom
barbara barb barbie babs
barnaby barney
barry baz bazza
bartholomew bart
beatrice bea trixie
belinda bel lindy
benedict ben
benjamin ben benny benji
bernadette bernie
bernard bernie
beverley bev
bradley brad
brendan bren
brett
bridget bridie
brian bri
bronwyn bron
bruce brucie
caitlin cait
cameron cam
carol caz
caroline caro carrie
cassandra cass cassie sandra
catherine cathy cath kate katie kathy kath kat cat kitty
cecilia celia cissy
cecil cec
chandler chan
charles charlie chas chuck
charlotte charlie lottie char
chelsea chels
cheryl cher
christian chris
christina chris tina chrissy
christine chris chrissie chrissy tina
christopher chris kit topher
constantine con dean gus
konstantinos con constantine dean gus kosta
constance connie
clifford cliff
clinton clint
colin col
cornelius con neil
craig
cynthia cindy
daniel dan danny
danielle dani
darren daz
david dave davey davo
deborah deb debbie debra
dennis den denny
desmond des
diane di
diana di
dimitrios jim jimmy james dimitri
dimitra toula
dmitry dima dimitri mitya
dominic dom nic
donald don donny
donna
dorothy dot dottie dolly
douglas doug dougie
duncan dunc
edith edie
edmund ed eddie ted
edward ed eddie ted teddy ned
edwin ed eddie
eileen
elaine
eleanor ellie nell nora
eleni helen ellie
eleftherios terry
elizabeth liz lizzie beth betty bess betsy eliza libby lisa elisabeth elsie
ekaterina katya katerina catherine kate
katerina kathy catherine kat
emily em emmy millie
emma em
emmanuel manny manuel
emmanouil manuel manny michael manoli
ernest ernie
ethel
eugene gene
evangelos angelo van evan
evelyn eve evie
eva eve evie
felicity flick fliss
florence flo florrie
frances fran frannie
francesca fran
francesco frank francis
francis frank fran
franklin frank
frederick fred freddie freddy
gabriel gabe
gabrielle gabby gab
gareth gaz
garry gaz
gary gaz
genevieve gen viv
geoffrey geoff jeff
george
georgios george
georgina georgie gina
gerald gerry jerry
gerard gerry ged
geraldine gerry
gertrude trudy gert
gilbert gil bert
gillian gill jill
giovanni john gianni joe
giuseppe joe joseph
giuseppina josie
glenn
gordon gordie
graham
gregory greg
guglielmo william
gwendolyn gwen wendy
hamish
harold harry hal
harrison harry
harry
hazel
heather
helen nell
henrietta etta
henry harry hal hank
herbert herb bert
herman
howard howie
hubert hugh bert
hugh hughie
ian
ignatius iggy
ioannis john yianni
isaac ike zac
isabella bella isa izzy
isabel belle izzy bel
isobel izzy
jacinta jac
jack jackie
jackson jack jacko
jacob jake
jacqueline jacqui jackie jac
james jim jimmy jamie jem
jane janie
janet jan
janice jan
jasmine jas jazz
jason jase
jeffrey jeff
jeffery jeff
jennifer jen jenny jenni
jeremy jez jem
jessica jess jessie
jillian jill
joan joanie
joanne jo joanna
joanna jo
john jack johnny jock
jonathan jon jonny
jordan jord jordy
joseph joe joey
josephine jo josie
joshua josh
judith judy jude
julian jules
julia jules
julie jules
justin
karen kaz
katherine kate katie kathy kath kat kit kitty
kathleen kath kathy katie
kathryn kate kath kathy katie
keith
kelvin kel
kenneth ken kenny
kevin kev
kimberley kim
kristina kris tina
kristine kris
kristen kris
kyriakos ken
lachlan lachie lochie
larissa lari
laurence larry laurie lawrie
lauren loz
leanne lee
leonard len lenny leo
leonardo leo
leslie les
lesley les
lewis lew
lillian lil lily
linda lin lindy
lindsay lin
lorraine lori
louis lou louie
louise lou
lucille lucy
luigi lou louis gino
lucinda lucy cindy
luke
lynette lyn
madeleine maddie mads
maddison maddie
madison maddie
malcolm mal
marcus marc mark
margaret marg maggie meg peg peggy marge margie greta rita
maria mary
maria marie
marianne
marilyn
marjorie marj marge
martha
martin marty
mary molly mae polly
matilda tilly tilda
matthew matt matty
maureen mo
maurice maury
maxwell max
maximilian max
megan meg
melanie mel
melissa mel lissa
mervyn merv
michael mick mike micky mikey
michelle shell chelle
mikhail misha
mildred millie
miranda mandy
mitchell mitch
mohammed mo
mohamed mo
muhammad mo
mohammad mo
monica mon
morris
murray muz muzza
nadezhda nadia
narelle
nathan nat nate
nathaniel nat nate nathan
natalie nat
natasha tash nat
neville nev
nicholas nick nicky nico
nicola nicky nic
nicole nicky nic nikki
nicolo nick nicholas
nikolaos nick nicholas
nikolai nick kolya
noel
norman norm
oliver ollie
olivia liv livvy
oscar
pamela pam
panagiotis peter pete
pasquale pat pasqual
patricia pat trish tricia patsy patty
patrick pat paddy rick
paul
pauline
penelope penny pen
peter pete
philip phil pip
phillip phil pip
philippa pip pippa
phoebe
phyllis phyl
pietro peter
prudence prue
rachel rach
rachael rach
ralph
raymond ray
rebecca bec becky becca beck
reginald reg reggie
rhonda
ricardo rick ricky richard
riccardo richard rick
richard rick dick rich richie ricky
robert rob bob bobby robbie bert
roberto rob robert
roberta bobbie
robin rob
rodney rod
roderick rod rory
roger rog
roland rollo
ronald ron ronnie
rosalind roz ros
rosemary rose rosie
rosalie rose
rosslyn ros
russell russ
salvatore sam sal
samantha sam sammy
samuel sam sammy
sandra sandy
santo sam
savvas sam
sean
sebastian seb
shane
sharon shaz
shirley shirl
sidney sid
sydney syd
simon si
sophia sophie soph
sophie soph
sotirios sam
spencer spence
spiridon spiro
spyridon spiro spyro
stacey stace
stanley stan
stavros steve
stephanie steph stef
stephen steve stevie
steven steve stevie
stuart stu stew
stewart stew stu
susan sue suzie susie suzy
susanna sue
suzanne sue suzie
sylvia syl
tabitha tabby
tamara tam tammy
tanya tan
taylor tay
terence terry
terrance terry
theodore theo ted teddy
theodoros theo ted
theodora dora
theresa terri tess terry tessa
thomas tom tommy
timothy tim timmy
tobias toby
tracey trace
travis trav
trevor trev
tristan tris
valerie val
vanessa ness nessa
vasilios bill william vas vasili
vasiliki vicki vasso
vernon vern
veronica ronnie vron
victor vic
victoria vicky vicki tori vic
vincent vin vince vinnie
vincenzo vince vincent
virginia ginny ginger
vivian viv
vivienne viv
vladimir vlad volodya
wallace wal wally
walter wal wally walt
warren waz
warwick
wayne
wendy
wesley wes
wilfred wilf fred
wilhelmina mina
william bill billy will willie willy
winifred win winnie
winston
xavier xav
yvonne von
zachary zac zack zach
zoe
constantinos con
alberto al bert
alessandro alex sandro
eduardo ed eddie
ernesto ernie
fernando nando
francisco frank paco
guillermo bill
ignacio nacho
jose pepe joe
leandro leo
lorenzo laurie
manuel manny
nguyet
olga
rafael rafe raf
raphael rafe raf
rodrigo rod
yusuf joseph joe
ibrahim abraham
yevgeny eugene zhenya
sergey serge
aleksandr alex alexander sasha
aleksey alex
jagadish jags
krishnan kris
venkatesh venkat
subramaniam subra
balakrishnan bala
gurpreet preet
`;

/** Spellings of one given name, such as "Steven" and "Stephen". They count as close, never as equal. */
export const GIVEN_SPELLINGS = `
alan allan allen allyn
alastair alistair alister alasdair alaster
alison allison alyson allyson
adrian adrien
aidan aiden ayden aydan aden
amelia emelia
ann anne
anna ana
anita annita
anthony antony
beverley beverly
brendan brendon brenden
bradley bradly
brian bryan bryon
brett bret
briana brianna breanna breana
bronwyn bronwen
carol carole karol
caitlin kaitlin katelyn caitlyn kaitlyn katelin
cameron kameron
carl karl
carla karla
caroline carolyn carolin
casey kasey
catherine katherine kathryn cathryn catharine katharine
cathleen kathleen
cathy kathy
charlie charley charly
chelsea chelsie chelsey
cheryl sheryl
chloe khloe
chris kris
christina kristina
christine kristine
christopher kristopher cristopher
claire clare clair
clive clyve
colin collin
conor connor conner
con kon
corey cory
craig kraig
curtis kurtis
cynthia sinthia
daniel danyal daniyal
danielle daniele danniele
darren daren darrin
darryl daryl darrell
deborah debora debra
declan deklan
denis dennis
diane dianne
diana dianna
dmitry dmitri dimitri dimitry
dominic dominik domenic
dylan dillon dillan
eleanor elinor ellinor
elena yelena
elizabeth elisabeth
ellen helen
emily emilie emiily emmily
erica erika ericka
eric erik
ethan ethen
faith fayth
felicity felicite
fiona fionna
frances francis
gabrielle gabriella
garry gary
gavin gavan
geoffrey jeffrey jeffery
geoff jeff
georgia jorja
gerard gerrard
gillian jillian
giuseppe guiseppe
glen glenn
graham graeme grahame
grant
gregory gregor
greg gregg
hailey hayley haylee
hannah hanna
harrison harryson
hussein hussain husain hossein
heather hether
helena helina
henry henri
hugh hew
imogen imogene
ibrahim ebrahim
isabel isobel isabelle isobelle
isabella izabella
jack jac
jacqueline jaqueline jacquelyn jacquelin
jaime jamie jayme
jasmine jasmin yasmin yasmine jazmin
jayden jaden jaiden
jeremy jeremie
jessica jesica jessika
jill gill
joanne joann
jon john
jonathan jonathon johnathan
jordan jordon
joseph josef
joel joell
josh josch
judith judyth
julian julien
juliet juliette
karen karin caryn
kate cate
kayla kaila
keira kiera kira
kellie kelly kelley
kerry kerri kerrie
kevin kevyn
kim kym
kimberley kimberly
kristen kristin kirsten kirstin
kristy kirsty christie
kylie kyly
lachlan lochlan lachlann
laura lora
lauren loren lorin
laurence lawrence
leanne leigh-anne leeanne lianne
lee leigh
leonard lenard
lesley leslie
lewis louis
lilian lillian
liam lyam
linda lynda
lindsay lindsey lyndsay
lisa leesa liza
louise luise
lucas lukas
luke luc
lyn lynn lynne
lynette lynnette
madeleine madeline madelyn madelaine
madison maddison
makayla mikayla michaela mikhayla
marc mark
marcus markus
margaret margret
maria mariah
marian marion
marie mari
martin martyn
mathew matthew
matt mat
megan meghan meagan
melanie melany
melissa melisa
mia miah
michael micheal mikael
michelle michele mishelle
mitchell mitchel
mohammed mohamed muhammad mohammad muhammed mohamad muhamad mohamud
ahmed ahmad ahmet
hassan hasan
abdullah abdallah abdulla
yusuf youssef yousef yusef yousuf joseph
ali aly
omar umar
khaled khalid
natalie nathalie natalee
nathan nathen
neil neal niel
nicholas nicolas nickolas
nicola nikola
nicole nichole nikole
nick nic
niamh neve
olivia alivia
oliver olliver
patrick patric
paula paola
pauline paulene
peter pieter
philip phillip
philippa phillipa
phoebe phebe
rachel rachael rachelle
raymond raymund
rebecca rebekah rebeka
reece rhys reese
rhonda ronda
robin robyn
rodney rodny
ross
rosemary rosemarie
russell russel
ryan rian
samantha samanta
sara sarah
sean shaun shawn shane
sergey sergei sergej
sharon sharyn
sheila shelagh
shelley shelly
sofia sophia
sophie sofie sophy
simon symon
stacey stacy
stefan stephan steffan
stephanie stefanie
stephen steven stephan
stuart stewart
susan suzan
suzanne susanne suzanna susanna
sylvia silvia
silvio sylvio
tahlia talia taliah thalia
tania tanya tanja
tara tarah
taylah tayla taylor
teagan tegan
terence terrence terrance
terry terri
theresa teresa therese
thomas tomas
tiarna tiana
timothy timothey
toby tobey
tony toni
tracey tracy tracie
trent
tyler tylor
tristan tristen tristram
vicki vicky vickie vikki
victor viktor
vivian vivien vivienne
vladimir wladimir
william willliam
xavier zavier
yvette evette
zachary zachery zackary zachariah
zac zack zach zak
zoe zoey zoie
aleksandr alexander alexandr oleksandr
alexei aleksey alexey aleksei
andrei andrey andrej
mikhail michail
nikolai nikolay
yuri yury iurii
yevgeny evgeny evgeni
dmytro dmitro
`;
