import { plural } from '../plural.ts'

export const agent = {
  tabs: {
    overview: 'Übersicht',
    events: 'Ereignisse',
    quarantined: 'Zurückgehalten',
    credentials: 'Nachweise',
    identifiers: 'Kennungen',
    webhooks: 'Webhooks',
    settings: 'Einstellungen',
  },
  tabsLabel: 'Teile des Agenten',
  copyId: 'ID kopieren',
  scoreTitle: 'Wert',
  evidence: (platform: string, n: number, self: string) =>
    `${platform} ${plural(n, 'Ereignis', 'Ereignisse')} von Plattformen, ${self} von ihm selbst oder dem Eigentümer`,
  quarantinedCount: (count: string, n: number) =>
    `${count} ${plural(n, 'Ereignis ist', 'Ereignisse sind')} zurückgehalten oder falsch und ${plural(n, 'zählt', 'zählen')} nicht`,
  disputed: (platformsFor: string, platformsAgainst: string) =>
    `Die Plattformen sind sich uneins: ${platformsFor} dafür, ${platformsAgainst} dagegen.`,
  exposure: 'Darf in einem Geschäft auf dem Spiel stehen:',
  computed: 'Berechnet',
  model: (version: string) => `Modell ${version}`,
  suspended: 'Der Betreiber hat diesen Agenten gesperrt.',
  deactivated: 'Dieser Agent ist stillgelegt. Sein Wert bleibt lesbar.',
}

export const raise = {
  title: 'Was ihn heben würde',
  toNext: (points: string, n: number, tier: string) =>
    `${points} ${plural(n, 'Punkt', 'Punkte')} bis ${tier}`,
  way: (what: string, perDay: string, days: string, n: number) =>
    `${what}, ${perDay} am Tag, ${days} ${plural(n, 'Tag', 'Tage')} lang`,
  wayNow: (what: string) => `${what}, jetzt`,
  oneCredential: '1 Nachweis, ausgestellt von einer Plattform',
  oneOf: 'Eines davon genügt:',
  noWay: 'Mit einer Art von Ereignissen allein gelingt das in einem halben Jahr nicht.',
  best: 'Er ist auf der besten Stufe.',
}

export const budget = {
  title: 'Fehlerbudget',
  left: (points: string, n: number, tier: string) =>
    `${points} ${plural(n, 'Punkt', 'Punkte')}, bis er nicht mehr ${tier} ist`,
  failuresLeft: 'So viele Fehler sind verkraftbar, jede Art für sich:',
  many: 'viele',
  none: 'Darunter gibt es keine Stufe.',
}

export const history = {
  title: 'Verlauf',
  ranges: { month: '30 Tage', quarter: '90 Tage', year: '1 Jahr', all: 'Alles' },
  rangeLabel: 'Zeitraum',
  interval: 'Intervall',
  empty: 'In diesem Zeitraum hat nichts den Wert verändert.',
  sampled: (count: string) =>
    `Das Diagramm zeigt ${count} Punkte dieser Spanne. Ziehen Sie über einen Teil, um dort jede Änderung zu sehen.`,
  zoomHint: 'Ziehen Sie über einen Teil, um ihn größer zu sehen.',
  score: 'Wert',
  time: 'Zeit',
  cause: 'Ursache',
  causes: { event: 'Ereignis', model: 'Neues Modell' },
  marks: {
    bad: 'ging schief',
    review: 'Prüfung',
    model: 'neues Modell',
    identity: 'Nachweis oder Eigentümer',
  },
  chart: (from: string, to: string, low: string, high: string) =>
    `Wert vom ${from} bis ${to}, zwischen ${low} und ${high}. Die Tabelle darunter hat jeden Punkt.`,
}

export const strip = {
  title: 'Letzte 90 Tage',
  whole: (good: string, bad: string, days: string) =>
    `${good} gute und ${bad} schlechte Ereignisse in den letzten ${days} Tagen`,
  day: (day: string, good: string, bad: string) => `${day}: ${good} gut, ${bad} schlecht`,
  dayUnread: (day: string) => `${day}: nicht gelesen`,
  partial: (count: string, since: string) =>
    `Aus den letzten ${count} Ereignissen, seit ${since}. Frühere Tage wurden nicht gelesen.`,
  good: 'Gut',
  bad: 'Schlecht',
  dayColumn: 'Tag',
}

export const why = {
  title: 'Warum',
  by: 'Beiträge nach',
  kinds: { dimensions: 'Dimension', types: 'Ereignis', reporters: 'Melder' },
  start: 'Anfang',
  time: 'Vergehende Zeit',
  correction: 'Anpassung an das geltende Modell',
  score: 'Wert',
  others: 'Alle anderen Melder',
  part: 'Teil',
  points: 'Punkte',
  events: 'Ereignisse',
  sum: 'Jeder Teil ist genau: zusammen sind sie der Wert.',
  reasonsTitle: 'Gründe',
  effects: { lowers: 'senkt', raises: 'hebt', limits: 'begrenzt' },
  reporters: {
    agent: 'Der Agent selbst',
    owner: 'Sein Eigentümer',
    platform: 'Plattform',
    system: 'Der Dienst',
  },
  movesTitle: 'Was ihn am meisten bewegt hat',
  reasons: {
    no_events: 'Über diesen Agenten wurde noch nichts gemeldet.',
    recent_failures: 'Schlechte Ereignisse der letzten 30 Tage kosten Punkte.',
    task_failures: 'Gescheiterte Arbeit hat Punkte gekostet.',
    payment_failures: 'Gescheiterte, verspätete oder bestrittene Zahlungen kosten Punkte.',
    credential_revoked: 'Ein Nachweis des Agenten wurde widerrufen.',
    quarantined_events: 'Einige Ereignisse sind zurückgehalten oder waren falsch und zählen nicht.',
    former_agent:
      'Ein Agent seines Eigentümers oder früheren Eigentümers begrenzt ihn; die Grenze steigt mit seiner Dienstzeit, ein Jahr lang.',
    new_owner:
      'Er ging an einen anderen Eigentümer über; seine Dienstzeit begann neu, seine Nachweise endeten.',
    has_parent: 'Er handelt für einen anderen Agenten und steht nicht höher als dieser.',
    child_failures: 'Schlechte Ereignisse von Agenten, die für ihn handeln, haben Punkte gekostet.',
    succeeded:
      'Er hat einen anderen Agenten ersetzt: alle Meldungen sind übernommen, die Dienstzeit zur Hälfte.',
    disputed:
      'Plattformen widersprechen sich über diesen Agenten: einige melden meist Gutes, andere meist Schlechtes.',
    few_events: 'Weniger als 50 Ereignisse zählen: zu wenig für einen sicheren Wert.',
    self_reported_only:
      'Nur der Agent selbst oder sein Eigentümer hat gemeldet; das wiegt ein Zehntel.',
    single_reporter:
      'Nur eine Plattform hat gemeldet, oder mehrere eines Eigentümers; andere müssten es bestätigen.',
    young: 'Er hat weniger als 21 Tage Dienstzeit: gute Meldungen zählen noch nicht voll.',
    inactive: 'Seit 30 Tagen oder länger wurde nichts gemeldet.',
    no_tasks: 'Über seine Arbeit ist nichts bekannt.',
    no_payments: 'Über seine Zahlungen ist nichts bekannt.',
    unverified_identity: 'Er hat keinen Nachweis einer Plattform.',
    good_work: 'Erledigte Arbeit hat Punkte gebracht.',
    good_payments: 'Pünktliche Zahlungen haben Punkte gebracht.',
    verified_identity: 'Eine Plattform hat ihm einen Nachweis ausgestellt.',
    several_reporters: 'Mehrere unabhängige Plattformen haben über ihn gemeldet.',
    long_record: 'Mindestens 500 Ereignisse zählen: ein starkes Signal.',
  },
}

export const breakdown = {
  title: 'Dimensionen',
  weight: (share: string) => `wiegt ${share}`,
  effective: (now: string, rule: string) => `wiegt jetzt ${now}, in der Regel ${rule}`,
  events: (count: string, n: number) => `${count} ${plural(n, 'Ereignis', 'Ereignisse')}`,
  nextTask: 'Die nächste Aufgabe gelingt',
  nextPayment: 'Die nächste Zahlung ist pünktlich',
  probability: (share: string, low: string, high: string) => `${share} (${low} bis ${high})`,
  unknown: 'nicht bekannt',
}

export const whatIf = {
  title: 'Was wäre, wenn',
  lead: 'Wie der Wert nach so vielen weiteren Ereignissen jetzt wäre, jede Art für sich.',
  kind: 'Art des Ereignisses',
  count: (kind: string) => `Wie viele weitere: ${kind}`,
  costs: 'Jede Stufe kostet einmal eine Abfrage.',
}

export const events = {
  type: 'Art',
  allTypes: 'Alle Arten',
  data: 'Einzelheiten',
  reporter: 'Melder',
  when: 'Wann',
  weight: 'Gewicht',
  good: 'gut',
  bad: 'schlecht',
  quarantined: 'zurückgehalten',
  attested: 'von der Plattform signiert',
  none: 'Noch kein Ereignis',
  noneText: 'Ereignisse erscheinen hier, sobald sie gemeldet werden.',
  noneOfType: 'Kein Ereignis dieser Art.',
  occurred: 'Geschehen',
  received: 'Empfangen',
  externalId: 'Externe ID',
  daysLate: (count: string, n: number) => `${count} ${plural(n, 'Tag', 'Tage')} zu spät`,
  follow: 'Live verfolgen',
}

export const quarantined = {
  lead: 'Ereignisse, die eine Regel für unwahrscheinlich hält, warten hier auf den Betreiber. Sie zählen erst nach der Freigabe.',
  none: 'Kein Ereignis ist zurückgehalten.',
  noneFound: (count: string) => `Keines unter den letzten ${count} Ereignissen.`,
  searchOn: 'Weiter zurück suchen',
  searched: (count: string) => `Die letzten ${count} Ereignisse durchsucht.`,
  because: 'Zurückgehalten, weil',
  effect: (now: string, then: string) =>
    now === then
      ? `Würden alle zählen, bliebe der Wert ${now}.`
      : `Würden alle zählen, wäre der Wert ${then} statt ${now}.`,
  status: {
    pending: 'Wartet auf Prüfung',
    appealed: 'Einspruch, wartet auf Prüfung',
    released: 'Freigegeben: es zählt',
    upheld: 'Bestätigt: es zählt nicht',
  },
  decided: (when: string) => `Entschieden ${when}`,
  yourAppeal: 'Ihr Einspruch',
  appeal: 'Einspruch erheben',
  appealLabel: 'Warum dieses Ereignis stimmt',
  appealHint: 'Der Betreiber liest es und entscheidet noch einmal. Ein Einspruch ist möglich.',
  appealed: 'Einspruch gesendet. Der Betreiber entscheidet.',
  appealUntil: (when: string) => `Einspruch ist bis ${when} möglich.`,
}

export const credentials = {
  qr: 'QR-Code zeigen',
  qrTitle: (type: string) => `${type} als QR-Code`,
  qrText: 'Wer ihn scannt, sieht, ob der Nachweis in diesem Moment gilt.',
  qrOf: (link: string) => `QR-Code von ${link}`,
  copyLink: 'Link kopieren',
  issue: 'Nachweis ausstellen',
  certify: 'Wert bescheinigen lassen',
  none: 'Noch kein Nachweis',
  noneText:
    'Ein Nachweis ist eine signierte Aussage über den Agenten, die jeder offline prüfen kann.',
  type: 'Art',
  typeHint: 'Was er aussagt, etwa SecurityAudit.',
  claims: 'Aussagen',
  claimsHint: 'Ein JSON-Objekt: was genau ausgesagt wird.',
  claimsWrong: 'Das ist kein JSON-Objekt.',
  expires: 'Läuft ab',
  expiresHint: 'Ohne Datum läuft er nicht ab.',
  issued: 'Ausgestellt',
  by: 'Ausgesagt von',
  asserted: { owner: 'Eigentümer', service: 'Der Dienst' },
  verify: 'Prüfen',
  valid: 'Gültig',
  notValid: 'Nicht gültig',
  copyJwt: 'Als JWT kopieren',
  page: 'Öffentliche Seite',
  revoke: 'Widerrufen',
  revoked: (type: string) => `${type} ist widerrufen.`,
  revokeFailed: 'Der Widerruf ist gescheitert:',
  issuedToast: 'Nachweis ausgestellt.',
  atLeast: 'Der Wert ist mindestens',
  vouchLead: 'Der Dienst selbst signiert, dass der Wert mindestens auf dieser Stufe ist.',
}

export const settings = {
  profile: 'Name und Metadaten',
  metadata: 'Metadaten',
  metadataHint: 'Ein eigenes JSON-Objekt; es wird als Ganzes ersetzt.',
  notJson: 'Das ist kein JSON-Objekt.',
  publicTitle: 'Öffentliches Profil',
  publicLead:
    'Zeigt allen Namen, Wert, Verlauf, Nachweise und Ihren Namen. Der Wert selbst ist mit der ID immer lesbar.',
  isPublic: 'Alle dürfen das Profil sehen',
  openProfile: 'Öffentliches Profil öffnen',
  badge: 'Abzeichen für ein README (Markdown)',
  badgeOf: (name: string) => `Das Abzeichen von ${name}`,
  rotateTitle: 'API-Schlüssel',
  rotateLead:
    'Ein neuer Schlüssel ersetzt den bisherigen. Der alte gilt so lange weiter, wie Sie es sagen.',
  overlap: 'Der alte Schlüssel gilt noch',
  overlaps: { now: 'gar nicht', hour: '1 Stunde', day: '1 Tag', week: '7 Tage' },
  rotate: 'Neuen Schlüssel erzeugen',
  newKey: 'Neuer API-Schlüssel',
  oldUntil: (when: string) => `Der alte Schlüssel gilt bis ${when}.`,
  worksUntil: 'Gilt bis',
  curlTitle: 'Ein Ereignis melden',
  deactivateTitle: 'Stilllegen',
  deactivateLead:
    'Endgültig: der Schlüssel gilt nicht mehr, Nachweise werden widerrufen, Ereignisse nicht mehr angenommen. Der Wert bleibt lesbar.',
  deactivate: 'Agent stilllegen',
  deactivateAsk: (name: string) => `Geben Sie ${name} ein, um ihn endgültig stillzulegen.`,
  deactivated: 'Der Agent ist stillgelegt.',
}

export const suspension = {
  suspend: 'Sperren',
  resume: 'Freigeben',
  suspendLead: 'Bis zur Freigabe werden keine Ereignisse angenommen. Der Wert bleibt lesbar.',
  resumeLead: 'Ereignisse werden wieder angenommen.',
  suspended: 'Der Agent ist gesperrt.',
  resumed: 'Der Agent ist wieder aktiv.',
}
