package paraphrase

// equal are English words that say the same, a line each, the one that stands for all of them first. A word that has an
// opposite stands with words of its own side alone, and who does something never stands with another who may do it.
const equal = `
employee staff personnel workforce coworker colleague
approve approval approved approves authorise authorize authorisation authorization sanction
submit submission submitted lodge
reimburse reimbursement refund refunded repay repaid repayment
notify notification inform informed advise told tell
consent assent permission
agreement contract
start begin began begun commence commencement onset
finish complete completed completion conclude
buy purchase bought procure procurement
customer client clientele
firm company enterprise corporation
doctor physician
lawyer attorney
phone telephone
car automobile
photo photograph picture
child kid children
movie film
email e-mail
website site webpage
laptop notebook
help assist assistance aid
show display
use utilise utilize usage utilization utilisation
request ask
choose choice chosen select selected selection pick
write written writing wrote
keep retain kept retention retained
replace replaced replacement substitute
build built construct constructed construction
big large
main principal primary predominant chief
important significant considerable crucial substantial
often frequently
quick quickly fast rapid rapidly swift swiftly
immediate immediately promptly instantly straightaway
entire whole
annual year yearly annually
quarter quarterly
month monthly
week weekly
yuan rmb cny
salary wage wages remuneration
expense expenditure cost costs
holiday vacation
illness sickness
certificate certification
invoice bill
receipt voucher
supplier vendor
manufacturer maker producer
damage damaged harm
error mistake
fault defect
stolen theft steal
visitor guest
trip journey travel
hotel lodging accommodation
flat apartment
landlord lessor
tenant lessee
liable liability responsible responsibility accountable
obtain acquire gain
arrive arrival
depart departure
occur happen
change alter modify modification amendment amend alteration
check inspect inspection examine
test exam examination
verify verification confirm confirmation
monitor supervise supervision oversee oversight
destroy destruction destroyed
delete erase erasure deletion remove removed removal
transfer transferred
store storage stored
connect connection
discuss discussion
decide decision decided
propose proposal proposed
suggest suggestion
explain explanation
describe description depict depiction
analyse analyze analysis
measure measurement
calculate calculation compute computed
produce production manufacture manufactured
develop development
create creation created
establish establishment founded
invent invention
discover discovery
publish publication
perform performance
teach taught teaching
lead led leadership
win won victory
marry married marriage wed
wife spouse husband
die died death deceased dead
bear born birth
kill killed
attend attendance participate participation
assess assessment evaluate evaluation appraisal
train training
hire hired recruit recruitment employ employed employment
dismiss dismissal dismissed
resign resignation
extend extension prolong
renew renewal
cancel cancellation revoke
suspend suspension
reply respond response answer
broadcast air aired airs
actor performer
musician musical
author writer
located situated
near nearby
beautiful pretty
famous renowned
wealth wealthy rich
ability capacity capability
method approach technique
goal aim objective purpose
area region zone
road street
town municipality
country nation
people folk
disadvantaged underprivileged
underground subterranean
cancer tumour tumor
demonstrate show
maintain maintenance
guarantee warranty
confidential secret
protect protection safeguard
secure security
password passcode
device equipment gear
remote remotely
onsite on-site
weekday weekdays workday
instalment installment
colour color
centre center
programme program
licence license
litre liter
metre meter
grey gray
organise organize organisation organization
favour favor favorite favourite
labour labor
tyre tire
judgement judgment
catalogue catalog
theatre theater
`

// phrases are ways to say in several words what is also said in one, or in others; ~ stands for the endings of a regular
// verb. What they stand for comes first. Whole phrases are written before a text is cut into words, longer ones first.
const phrases = `
submit: hand~ in, turn~ in, send~ in, put in a claim for
complete: fill~ in, fill~ out, carried out, carry out, carrying out
reimburse: pay back, pays back, paid back, give~ back the money for
return: give back, gives back, given back, hand~ back, bring back, brings back, brought back, send~ back, sent back
must: is required to, are required to, is obliged to, are obliged to, is obligated to, are obligated to, has to, have to, is to be required to, is under an obligation to, is under a duty to, ought to
need not: is not required to, are not required to, is not obliged to, are not obliged to, does not have to, do not have to, does not need to, do not need to, is under no obligation to, are under no obligation to, has no need to, have no need to
may: is allowed to, are allowed to, is permitted to, are permitted to, is entitled to, are entitled to, is free to, are free to, has the right to, have the right to, is able to, are able to, is authorised to, are authorised to, is authorized to, are authorized to
may not: is not allowed to, are not allowed to, is not permitted to, are not permitted to, is forbidden to, are forbidden to, is prohibited from, are prohibited from, is forbidden from, are forbidden from, is barred from, are barred from, is banned from, are banned from, is not entitled to, are not entitled to, has no right to, have no right to, must not, is not able to, are not able to
before: prior to, ahead of, in advance of
ahead: in advance, beforehand
after: subsequent to, in the wake of
if: in the event that, in the event of, provided that, on condition that, as long as, so long as, assuming that
unless: except if, except when, save where
except for: with the exception of, apart from, other than, aside from, save for
because: due to the fact that, owing to the fact that, on the grounds that, for the reason that
because of: due to, owing to, on account of, as a result of, by reason of
about: with regard to, with respect to, in respect of, in relation to, as regards, pertaining to, in connection with
for: for the purpose of, for the purposes of, on behalf of, in favour of, in favor of
by: by means of, by way of, with the help of, through the use of
during: in the course of, over the course of, throughout the course of
while: during the time that, at the same time as
immediate: right away, straight away, without delay, at once, as soon as possible, without undue delay
many: a lot of, lots of, plenty of, a large number of, a great many
most: the majority of
yearly: each year, once a year, once per year, once every year
contact: get in touch with, gets in touch with, reach~ out to
postpone: put off, puts off, push~ back
cancel: call~ off
leave: move~ out of
discover: find out, finds out, found out
inspect: look~ over
review: go over, goes over
investigate: look~ into
establish: set up, sets up, setting up
start: kick~ off, take~ effect, comes into force, come into force, came into force, enters into force, enter into force, entered into force, becomes effective, become effective
end: come to an end, comes to an end, came to an end, draw~ to a close
expire: run out, runs out, ran out
lower: bring down, brings down, brought down
use: make use of, makes use of, made use of
decide: make a decision, makes a decision, made a decision, take a decision, takes a decision
pay: make a payment, makes a payment, made a payment, settle~ the bill
request: make a request for, makes a request for, made a request for, ask~ for, apply for, applies for, applied for
approve: give~ approval to, gives approval to, give approval to, sign~ off on, sign~ off, give~ the green light to
consent: give~ consent, gives consent
help: give~ assistance to, provide assistance to, provides assistance to
inform: let know, lets know, give~ notice to
report: file~ a report, make~ a report, give~ an account of
attend: take part in, takes part in, took part in, taking part in, participate in, participates in, participated in
consist of: is made up of, are made up of, is composed of, are composed of, comprise~
depend on: rely on, relies on, relied on, is contingent on, are contingent on
cause: lead to, leads to, led to, result in, results in, resulted in, give rise to, gives rise to, gave rise to, bring about, brings about, brought about
according to: in accordance with, in line with, pursuant to, in compliance with, as per
instead of: in lieu of, in place of
free: free of charge, at no charge, at no cost, without charge, at no extra cost
in writing: in written form
work remote: work~ from home, telework~, telecommute~, work~ remotely
working day: business day, work day, workday
working days: business days, work days, workdays
line manager: direct manager, immediate manager, direct supervisor, immediate supervisor, direct superior
human resources: hr department, human resources department, hr team
information technology: it department, it team
annual leave: yearly leave, paid annual leave, annual vacation
sick leave: medical leave
medical certificate: sick note, doctor's note, doctor's certificate, medical note
public holiday: bank holiday, statutory holiday, national holiday
public holidays: bank holidays, statutory holidays, national holidays
mobile: mobile phone, cell phone, cellphone, smartphone
taxi: cab, taxicab
car park: parking lot, parking area
underground: below the surface, under ground, below ground
united states: u.s, usa, u.s.a, united states of america
united kingdom: u.k, great britain and northern ireland
at least: a minimum of, no less than, no fewer than, not less than, not fewer than
at most: a maximum of, no more than, not more than
percent: per cent
switch off: turn~ itself off, switch~ itself off, shut~ itself down, turn~ off, power~ off, power~ down, shut~ down, switch~ off
switch on: turn~ on, power~ on, switch~ on
take place: takes place, took place
known as: also known as, otherwise known as
grow up: grew up, was raised, were raised
give birth to: gives birth to, gave birth to
`
