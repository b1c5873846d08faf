import { plural } from '../plural.ts'

export const agents = {
  title: 'Agenten',
  register: 'Agent anlegen',
  ofMax: (count: string, max: string) => `${count} von ${max} Agenten Ihres Tarifs`,
  count: (count: string, n: number) => `${count} ${plural(n, 'Agent', 'Agenten')}`,
  loadingMore: (count: string) => `${count} Agenten bisher, weitere werden geladen`,
  searchLabel: 'Agenten suchen',
  searchHint: 'Nach Name oder ID suchen',
  tier: 'Stufe',
  allTiers: 'Alle Stufen',
  allStatuses: 'Alle Zustände',
  inUse: 'In Gebrauch',
  sort: 'Reihenfolge',
  sorts: {
    newest: 'Neueste zuerst',
    name: 'Nach Name',
    best: 'Beste zuerst',
    worst: 'Schwächste zuerst',
  },
  columns: {
    name: 'Name',
    tier: 'Wert und Stufe',
    scale: 'Skala',
    trend: 'Verlauf',
    change: '30 Tage',
    registered: 'Angelegt',
  },
  trendWords: (from: string, to: string, since: string) => `von ${from} auf ${to} seit ${since}`,
  changeSince: (since: string) => `Seit ${since}`,
  noneTitle: 'Noch kein Agent',
  noneText:
    'Ein Agent ist ein Programm, dem andere vertrauen sollen. Legen Sie ihn an, melden Sie, was er tut, und sein Wert bewegt sich.',
  nothingFound: 'Kein Agent passt.',
  clearFilters: 'Alle Agenten zeigen',
}

export const registering = {
  title: 'Agent anlegen',
  nameHint: 'Was Menschen lesen. Er lässt sich später ändern.',
  parent: 'Handelt für (freiwillig)',
  noParent: 'Keinen anderen Agenten',
  parentId: 'Die ID eines Ihrer Agenten.',
  parentHint: 'Sein Wert liegt nie über dem Wert des Agenten, für den er handelt.',
  submit: 'Anlegen',
  keyLabel: 'API-Schlüssel des Agenten',
  curlLabel: 'Ein erstes Ereignis melden',
  waiting: 'Wartet auf das erste Ereignis. Fügen Sie den Befehl in ein Terminal ein.',
  arrived: 'Das erste Ereignis ist da.',
  scoreNow: 'Sein Wert jetzt:',
  nextTitle: 'Wie es weitergeht',
  next: {
    platforms:
      'Lassen Sie auch die Plattformen melden, auf denen er arbeitet: ihre Meldungen wiegen zehnmal so viel. Sie brauchen seine ID:',
    credential: 'Einen Nachweis ausstellen, den jeder prüfen kann.',
    webhook: 'Benachrichtigt werden, wenn sich der Wert ändert.',
  },
  open: 'Agent öffnen',
}
