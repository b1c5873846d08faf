import { plural } from '../plural.ts'

export const common = {
  product: 'Standing',
  skip: 'Zum Inhalt',
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  saved: 'Gespeichert',
  done: 'Fertig',
  copy: 'Kopieren',
  copied: 'Kopiert',
  undo: 'Rückgängig',
  more: 'Mehr anzeigen',
  retry: 'Erneut versuchen',
  loading: 'Wird geladen',
  justNow: 'gerade eben',
  soon: 'gleich',
  none: 'Keine',
  never: 'Nie',
  search: 'Suchen',
  menu: 'Menü',
  id: 'ID',
  name: 'Name',
  status: 'Status',
  created: 'Angelegt',
  actions: 'Aktionen',
  reason: 'Begründung',
  raw: 'JSON und curl',
  asTable: 'Als Tabelle zeigen',
  asCurl: 'Dasselbe mit curl',
  json: 'JSON',
  shownOnce: 'Wird nur dieses eine Mal angezeigt. Jetzt kopieren und sicher aufbewahren.',
  undoIn: (seconds: number) => `Rückgängig (${seconds})`,
  rows: (count: string, n: number) => `${count} ${plural(n, 'Zeile', 'Zeilen')}`,
}

export const tiers = {
  names: {
    excellent: 'Exzellent',
    good: 'Gut',
    fair: 'Mittel',
    poor: 'Schwach',
    untrusted: 'Kein Vertrauen',
    unknown: 'Noch zu wenig Daten',
  },
  meanings: {
    excellent: 'Bewährt, volles Vertrauen.',
    good: 'Verlässlich, mit kleinen Lücken.',
    fair: 'Annehmbar, mit Luft nach oben.',
    poor: 'Erhebliche Bedenken, begrenztes Vertrauen.',
    untrusted: 'Schwere Bedenken, oder zu wenig Belege für Vertrauen.',
    unknown: 'Für ein Urteil wurde noch zu wenig gemeldet.',
  },
  confidence: {
    low: 'geringe Sicherheit',
    medium: 'mittlere Sicherheit',
    high: 'hohe Sicherheit',
  },
  ofMost: (score: string) => `${score} von 1000`,
  between: (low: string, high: string) => `zwischen ${low} und ${high}`,
  notEnough: (events: string, needed: string) =>
    `noch zu wenig Daten: ${events} von ${needed} Ereignissen`,
  enoughAt: (events: string, needed: string) => `${events} von ${needed} Ereignissen`,
  disputed: (platformsFor: string, platformsAgainst: string) =>
    `umstritten: Plattformen dafür ${platformsFor}, dagegen ${platformsAgainst}`,
}

export const dimensions = {
  reliability: 'Zuverlässigkeit',
  financial: 'Finanzen',
  identity: 'Identität',
}

export const statuses = {
  active: 'Aktiv',
  suspended: 'Gesperrt',
  deactivated: 'Stillgelegt',
  paused: 'Angehalten',
  disabled: 'Abgeschaltet',
  pending: 'Wartet',
  delivered: 'Zugestellt',
  failed: 'Fehlgeschlagen',
  gone: 'Nicht mehr da',
  throttled: 'Gebremst',
  expired: 'Abgelaufen',
  revoked: 'Widerrufen',
  retired: 'Abgelöst',
  invalid: 'Ungültig',
  open: 'Offen',
  claimed: 'Angegeben',
  accepted: 'Angenommen',
  declined: 'Abgelehnt',
  withdrawn: 'Zurückgezogen',
  verified: 'Bewiesen',
}

export const eventTypes = {
  'task.completed': 'Aufgabe erledigt',
  'task.failed': 'Aufgabe gescheitert',
  'task.timeout': 'Aufgabe nicht rechtzeitig',
  'payment.completed': 'Zahlung ausgeführt',
  'payment.failed': 'Zahlung gescheitert',
  'payment.late': 'Zahlung verspätet',
  'payment.disputed': 'Zahlung bestritten',
  'uptime.report': 'Verfügbarkeit gemeldet',
  'error.reported': 'Fehler gemeldet',
  'credential.issued': 'Nachweis ausgestellt',
  'credential.revoked': 'Nachweis widerrufen',
  'agent.transferred': 'An anderen Eigentümer übergeben',
  'agent.succeeded': 'Hat einen anderen Agenten ersetzt',
  'agent.limited': 'Durch einen anderen Agenten begrenzt',
  'reports.discarded': 'Meldungen verworfen',
  'child.work_failed': 'Arbeit eines untergeordneten Agenten gescheitert',
  'child.payment_failed': 'Zahlung eines untergeordneten Agenten gescheitert',
}

/** More than one of them, for sentences with a number. */
export const eventCounts = {
  'task.completed': (n: string) => `${n} erledigte Aufgaben`,
  'task.failed': (n: string) => `${n} gescheiterte Aufgaben`,
  'task.timeout': (n: string) => `${n} nicht rechtzeitige Aufgaben`,
  'payment.completed': (n: string) => `${n} ausgeführte Zahlungen`,
  'payment.failed': (n: string) => `${n} gescheiterte Zahlungen`,
  'payment.late': (n: string) => `${n} verspätete Zahlungen`,
  'payment.disputed': (n: string) => `${n} bestrittene Zahlungen`,
  'uptime.report': (n: string) => `${n} Verfügbarkeitsmeldungen`,
  'error.reported': (n: string) => `${n} gemeldete Fehler`,
  'credential.issued': (n: string) => `${n} Nachweise, ausgestellt von Plattformen`,
  'credential.revoked': (n: string) => `${n} widerrufene Nachweise`,
  'agent.transferred': (n: string) => `${n} Eigentümerwechsel`,
  'agent.succeeded': (n: string) => `${n} Ersetzungen`,
  'agent.limited': (n: string) => `${n} Begrenzungen`,
  'reports.discarded': (n: string) => `${n} verworfene Meldungen`,
  'child.work_failed': (n: string) => `${n} gescheiterte Arbeiten untergeordneter Agenten`,
  'child.payment_failed': (n: string) => `${n} gescheiterte Zahlungen untergeordneter Agenten`,
}

export const serviceTiers = { free: 'Free', growth: 'Growth', platform: 'Platform' }

export const states = {
  errorTitle: 'Das hat nicht geklappt',
  errorWhat: 'Der Dienst antwortete:',
  errorId: (id: string) => `Anfrage ${id}`,
  offlineTitle: 'Der Dienst ist nicht erreichbar',
  offlineText: 'Prüfen Sie die Verbindung und ob der Dienst läuft. Es geht von selbst weiter.',
  noRightTitle: 'Das dürfen Sie nicht sehen',
  noRightText: 'Melden Sie sich mit den nötigen Rechten an oder fragen Sie den Betreiber.',
  notFoundTitle: 'Hier ist nichts',
  notFoundText: 'Es wurde vielleicht entfernt, oder die Adresse ist nicht vollständig.',
  unreadable:
    'Das ist keine Antwort des Dienstes. Ein Proxy oder die Anmeldung eines Netzes kann dazwischen sein.',
  limited: 'Mehr Anfragen, als Ihr Tarif in einer Minute erlaubt.',
  busy: 'Der Dienst ist gerade nicht bereit.',
  goesOn: (seconds: number) => `Weiter in ${seconds} s.`,
  offlineBanner: 'Keine Verbindung zum Dienst. Was Sie sehen, kann veraltet sein.',
  outdated: (message: string) => `Das ist nicht auf dem neuesten Stand: ${message}`,
  home: 'Zum Anfang',
}
