"""English words that say the same, the opposite, or something that excludes the other.

A group of synonyms holds words of which one may stand for the other in a statement without changing what is true; it is
open at its ends, a word may be in several groups. Written by hand for this program.
"""

from typing import Final

SYNONYMS: Final = """
employee staff worker | person individual | company undertaking firm enterprise business | fee charge |
pay payment | wage salary | inform notify tell communicate | information communication | start begin commence |
end finish terminate conclude expire | termination ending | keep retain maintain hold store |
reimburse refund repay | submit hand file lodge | prior beforehand advance previously | plan intend |
agree decide resolve | further additional | dismiss terminate | address cover | publish public |
ask request demand | need require | requirement need | permit allow authorise authorize |
permission authorisation authorization consent approval | forbid prohibit ban | buy purchase acquire | sell vend |
help assist support | show demonstrate prove | proof demonstration | big large considerable | small little |
fast quick rapid prompt | stop cease | drop fall decline decrease | rise increase grow climb |
growth rise increase | reduce lower cut decrease | lower reduced | raise increase | extend prolong lengthen |
extension prolongation | change amend alter modify | delete erase erasure | deletion erasure |
postpone defer delay | delay postponement | obtain receive get | give provide supply grant |
appoint designate name | appointment designation | choose select | earlier before prior previous |
later after subsequent | also additionally | additional more further extra | maximum limit ceiling cap |
minimum floor | deadline period | period time | notice notification | use employ utilise | job work employment |
task work duty | annual year yearly | monthly month | next following subsequent | advance ahead beforehand |
consecutive row successive | repair fix | documents papers | receipt receive received | house home | tenant lessee |
landlord lessor | rent lease | premises property | record document | written writing | unlawful illegal unlawfully |
lawful legal lawfully | invalid void | valid effective | necessary needed required | sufficient enough adequate |
breach violation infringement | infringe violate breach | fine penalty | damage harm loss | injure hurt harm |
describe explain | clear plain | contain include | without excluding | refuse decline deny |
approve accept endorse | reject refuse decline | warn caution | claim allegation | state say | carry transfer |
transfer carry transmit | transmit send transfer | span cross | build construct | design draw | open inaugurate |
full complete | complete finish | entire whole total | worldwide global international | child minor |
parent guardian | doctor physician | car vehicle | cost price | revenue turnover | profit earnings |
budget funding | meeting session | vote ballot | manager supervisor | exercise use | freedom liberty |
concern regard | correct rectify | correction rectification | object oppose | withdraw revoke |
withdrawal revocation | court judge | monitor observe surveil | officer official | scale extent | double twofold |
treatment therapy | average mean | sublet subletting sublease | due payable | return repay refund |
unjustified unreasonable | reason ground | free gratis | airline carrier | phone telephone call |
cost charge expense price | free gratis charge | halve reduce half | late delay delayed |
stop suspend halt pause discontinue | resume restart continue | clock period | wait await |
staff person employee personnel workforce | employee worker staff personnel | employ hire engage recruit |
engage bring involve use | enlist engage | subcontractor processor sub-processor |
authorise permit approve authorised | planned intended envisaged proposed | plan intend envisage |
replacement replace substitute | change alteration amendment modification |
notify inform tell communicate announce report | announcement notice communication publication |
announce publish communicate | enough sufficient suffice adequate | make render |
determine decide define set fix specify | determination determine | unlawful infringe illegal breach violation |
infringe breach violate contravene | violation infringement breach contravention non-compliance |
comply compliance observe meet adhere | need require must necessary | longer more | erase delete remove destroy |
removal erasure deletion | owe obligation due | obligation duty requirement responsibility | duty obligation task |
support basis ground | ground reason basis justification | basis ground foundation |
anyone person everyone individual | people persons individuals | cover include extend comprise |
use processing process | use apply employ utilise | handle process deal | handling processing | right entitlement |
entitled right | object oppose objection | point attention | separate apart distinct |
separately apart individually | first initial | latest last | authority body agency regulator |
regulator authority supervisory | watchdog authority | cost fine | fine penalty sanction punish |
penalise punish sanction | cap limit ceiling maximum | serious grave severe | gravest serious severe |
total overall aggregate whole | amount sum | exempt exemption exclude apply | exemption exception |
exception exempt except | occasional sporadic | small minor | organisation body entity company enterprise |
company undertaking enterprise firm business corporation | supply provide deliver give |
reasonable appropriate fair | appropriate suitable adequate proper | meant intended envisaged |
pass disclose transfer hand | disclose reveal share disclosure | recipient receiver | due payable owed |
carry perform conduct | perform fulfil carry execute | performance execution fulfilment |
fulfil meet perform satisfy | instruction order direction | dismiss remove fire sack | dismissal removal |
secrecy confidentiality secret confidential | bind bound binding | additional other further extra |
create result cause produce | cause result lead give | long provided | similar comparable alike |
comparable similar equivalent | assess evaluate assessment | evaluation assessment review appraisal |
review evaluation examination | examine check inspect review | check examine verify | verify check confirm |
compensation damages reparation | compensate compensation | claim receive demand | demand request claim |
liable liability responsible | liability liable responsibility | responsible responsibility charge |
harm damage injury | suffer sustain incur | report submit | submit present file lodge deliver |
public publish publication | mandatory shall required compulsory obligatory | enter come | force effect |
effective force | travel fly flight journey | passenger traveller | arrive arrival reach | depart departure leave |
cancel cancellation | refund reimburse reimbursement repay | meal food refreshment | hotel accommodation |
accommodation lodging hotel | stay remain | offer provide | journey trip | distance far | short brief |
long lengthy | purchase buy acquisition | acquire obtain purchase | obtain get receive collect acquire |
collect gather obtain | grant give award | deny refuse reject | refusal refuse deny | accept approve agree |
agree consent | consent agreement approval permission | agreement contract consent | sign signature | form format |
electronic digital online | online internet electronic web | website site web | user recipient |
customer client consumer | provider supplier | supplier provider vendor | manufacturer producer maker |
make produce manufacture | product good item | item product object | device equipment | software program |
develop design build | design develop create | build construct erect | construction build | house home dwelling |
live reside dwell | resident inhabitant | inhabitant resident people | city town | country state nation |
nationwide national | foreign abroad overseas | border frontier | rule govern reign | king monarch ruler |
ruler king leader | leader head chief | head lead chief leader | lead head run | chair preside |
chairman chairperson chair president | member belong | join enter accede | found establish create set |
set establish lay | introduce adopt launch | adopt introduce pass | adoption adopt | launch start begin |
beginning start outset | end finish conclude close | close shut end | finally last eventually | last final |
expire end lapse | terminate end cancel | renew extend renewal | renewal renew extension | shorten reduce cut |
speed accelerate quick | quickly promptly rapidly immediately | immediately once instantly promptly delay |
promptly delay undue | delay late wait | soon early | always ever constantly | often frequently |
frequently often regular | regular regularly periodic | usually normally generally | normally usually ordinarily |
rare rarely seldom | sometimes occasionally | again repeatedly | several multiple many various |
many numerous several | various different several diverse | different distinct other | same identical equal |
equal same equivalent | main principal chief core primary | core main central |
important significant major essential | significant considerable substantial important |
substantial considerable significant large | large big great considerable | huge large enormous vast | tiny small |
low small | high great large | increase rise grow raise | raise lift increase | rise climb grow go increase |
decrease fall decline drop reduce | double twice | triple three | majority most | part share portion |
share part proportion | proportion share percentage | percentage share percent | number figure amount count |
roughly about approximately nearly | nearly almost about | exactly precisely | precise exact |
clear plain obvious evident | evident obvious apparent clear | understand comprehend | know aware knowledge |
aware know awareness | learn discover know | discover find | notice aware | show demonstrate prove reveal |
prove demonstrate show establish | proof evidence | believe think | opinion view | doubt question | question ask |
request ask demand application | apply application | applicable apply | concern relate regard |
relate concern refer | refer mention | mention refer name | name call | explain describe clarify |
explanation explain reason | state say declare | declare state announce | declaration statement | say state tell |
tell inform say | deal interact | talk speak | write draft | record register keep | register record list |
store keep save | protect safeguard protection | safeguard protect guarantee | guarantee ensure |
ensure guarantee make | secure security safe | risk danger hazard | danger risk threat | attack assault |
fight battle combat | war conflict | conflict war dispute | dispute disagreement conflict |
army troops military force | soldier troops | kill dead death | die death dead | birth born |
parent guardian responsibility | old age aged | sick ill illness | illness disease sickness | treat treatment |
treatment treat therapy | hospital clinic | medicine drug | injury injure hurt | pupil student | teach instruct |
training train | university college | science scientific | research study investigate |
investigate examine inquiry | inquiry investigation | court judge tribunal | judge court judicial |
law act legal statute | legal law lawful | regulation rule | provision rule clause | section article |
crime offence criminal | offence crime violation | prison jail | arrest detain | tax levy | levy tax fee |
fee charge payment | pay payment cover | cheap inexpensive | expensive costly | money funds cash |
fund finance money | loan credit | debt owe | income revenue earnings | revenue income turnover sales | sale sell |
trade commerce commercial | commercial trade business | marketing advertising | advertising marketing promotion |
industry sector | sector industry branch | economy economic | job position work | work job labour |
wage pay salary | leave holiday vacation | break pause | pause break suspend | rest break | overtime hours |
hour hourly | day daily | week weekly | forest rainforest wood | river stream | area region territory |
territory area land | surface area | cover span | sea ocean | animal species | oil petroleum | embargo ban |
ban prohibit prohibition forbid | restrict limit | restriction limit | limit restrict cap | exceed above over |
allow permit let enable | may can | prevent stop avoid | obstacle barrier | help assist support aid |
aid help assistance | advice counsel guidance | advise advice recommend | seek ask request | look seek |
attempt try | succeed success | fail failure | win victory | lose defeat | defeat beat | swear oath vow |
agree swear pledge | pledge promise | descend descendant ancestor | origin origins come | originate come |
automated automatic automatically | decision decide | alone solely only | solely only purely | human person |
intervene intervention | contest challenge | challenge contest dispute | appeal complaint | complaint complain |
withdraw revoke withdrawal | withdrawal withdraw revocation | valid lawful | validity lawfulness valid |
earlier before prior previous preceding | following subsequent next after | subsequently later afterwards |
afterwards after later | during while | currently present now | present current | current present existing |
recent recently | permanent lasting | temporary interim provisional | partly partially part |
fully entirely completely wholly | merely only just | easy simple | simple easy plain | difficult hard complex |
complex complicated difficult | complexity complex | intelligible understandable | accessible available access |
transparent transparency | publicly public | publicly openly | openly public | data information |
information data details | detail particular | details information particulars | copy duplicate |
transfer transmit send move | portability transfer | portable portability | port transfer |
machine-readable machine | systematic systematically | monitor monitoring surveillance watch |
monitoring surveillance observe | large-scale large | extensive wide broad | narrow limited |
especially particular | particularly especially particular | mainly chiefly primarily | instead rather |
disproportionate excessive | excessive disproportionate unreasonable | proportionate appropriate |
measure step action | steps measures | procedure process | condition requirement | circumstance case situation
"""
"""Groups, cut by bars."""

OPPOSITES: Final = """
cap exceed | limit exceed | restrict exceed |
gross net | approve reject | accept reject | accept refuse | grant refuse | allow forbid | permit prohibit |
rise fall | increase decrease | increase reduce | grow shrink | begin end | start end | first last |
internal external | public private | national worldwide | national global | national international |
domestic foreign | early late | written oral | intentional negligent | lawful unlawful | valid void | large small |
high low | higher lower | long short | longest shortest | largest smallest | more less | employer employee |
landlord tenant | buyer seller | controller processor | insurer policyholder | plaintiff defendant |
creditor debtor | profit loss | income expense | good bad | right wrong | true false | strong weak | win lose |
active passive | direct indirect | before after | positive negative | temporary permanent | voluntary mandatory |
include exclude | majority minority | above below | public confidential | public secret | confidential disclose |
free chargeable | free paid | gratis paid | expense free | expense gratis | same different | equal different |
similar different | identical different | allow prevent | permit forbid | permit ban | allow ban | allow prohibit |
authorise prohibit | legal illegal | valid invalid | accept deny | accept decline | approve refuse | approve deny |
grant deny | grant withhold | give withhold | give take | provide withhold | consent refuse | consent objection |
agree object | agree refuse | agree disagree | support oppose | support reject | confirm deny | confirm refute |
prove disprove | win fail | succeed fail | success failure | begin cease | start stop | start finish |
commence end | commence terminate | open close | extend shorten | extend reduce | lengthen shorten |
expand restrict | expand limit | widen narrow | increase lower | increase cut | raise lower | raise cut |
raise reduce | rise drop | rise decline | grow decline | grow fall | growth decline | growth fall | gain lose |
gain loss | surplus deficit | maximum minimum | most least | more fewer | highest lowest | longer shorter |
larger smaller | bigger smaller | best worst | better worse | improve worsen | heavy light | quick slow |
fast slow | accelerate delay | prompt late | timely late | punctual late | sooner later | earlier later |
before afterwards | first final | initial final | old new | older younger | old young | adult minor | adult child |
male female | man woman | father mother | son daughter | brother sister | husband wife | buy sell | purchase sell |
import export | lend borrow | sender recipient | teacher pupil | vendor purchaser | lessor lessee |
licensor licensee | defendant claimant | majority unanimous | inside outside | indoor outdoor | above under |
upper lower | north south | east west | northern southern | eastern western | left right | remote near | near far |
full partial | full empty | whole partial | entire partial | complete incomplete | complete partial |
final provisional | final preliminary | definitive provisional | permanent interim | permanent provisional |
temporary lasting | once repeatedly | rare frequent | rare common | often rarely | usual exceptional |
general specific | general individual | joint separate | together separately | jointly separately | alone together |
collective individual | express implied | explicit implicit | written verbal | written unwritten |
binding voluntary | compulsory optional | compulsory voluntary | mandatory optional | obligatory optional |
required optional | required voluntary | exempt liable | exempt subject | exempt obliged | liable immune |
guilty innocent | deliberate accidental | intentional accidental | intentional unintentional |
intentionally accidentally | knowingly unknowingly | knowingly negligently | intentionally negligently |
present absent | appear disappear | known unknown | aware unaware | certain uncertain | safe dangerous |
safe unsafe | healthy ill | alive dead | employed unemployed | hire dismiss | hire fire | appoint dismiss |
appoint remove | elect appoint | join leave | enter leave | arrive depart | arrival departure | include omit |
include except | inclusive exclusive | majority half | encrypted unencrypted | manual automated | manual automatic |
automated human | directly indirectly | offline online | retain delete | retain erase | keep delete | keep erase |
keep destroy | store delete | encourage discourage | rich poor | wet dry | hot cold | warm cold | deep shallow |
wide narrow | simple complex | easy difficult | cheap expensive | true untrue | friend enemy | peace war |
attack defend | victory defeat | ally enemy | civil criminal | civilian military | urban rural | domestic overseas |
national foreign
"""
"""Pairs, cut by bars."""

RIVALS: Final = """
minute hour day week month quarter year decade century
monday tuesday wednesday thursday friday saturday sunday
spring summer autumn winter
controller processor recipient supervisory subject officer
commission council parliament board court member
employer employee union contractor
landlord tenant subtenant agent
lessor lessee
buyer seller manufacturer importer distributor
provider deployer importer distributor manufacturer user
insurer policyholder broker beneficiary
creditor debtor guarantor
plaintiff defendant witness judge
claimant respondent defendant
court police prosecutor ministry
passenger carrier airport agency
father mother child guardian
husband wife
brother sister cousin
king queen duke emperor pope bishop
president chancellor minister mayor governor
chairman treasurer secretary auditor
doctor nurse patient pharmacist
teacher pupil headmaster
intentionally negligently knowingly
written oral electronic
daily weekly monthly quarterly annually yearly hourly
weekly monthly quarterly annual
euro dollar pound franc yen
kilometre metre mile centimetre foot
kilogram gram tonne pound
litre gallon
north south east west
northern southern eastern western
england france germany scotland wales ireland spain italy portugal austria switzerland poland netherlands
  belgium denmark sweden norway finland hungary turkey greece russia ukraine china japan india canada mexico
  brazil australia america francia normandy
london paris berlin rome madrid vienna brussels dublin lisbon warsaw
europe asia africa america
english french german spanish italian latin greek
gold silver copper bronze
oil gas coal
airport station harbour
meal drink hotel
telephone fax letter
lease sale loan gift
termination withdrawal cancellation
fine imprisonment warning
turnover profit income
birth death marriage
red blue green yellow black white
"""
"""Classes of things of which one is not another, a class a line; a line that is indented goes on the one before."""
