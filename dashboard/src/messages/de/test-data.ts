export const testData = {
  title: 'Testmodus',
  lead: 'Agenten, Plattformen, Werte und Webhooks, die bis auf eines echt sind: kein echter Wert bewegt sich, und kein echter Aufrufer sieht sie.',
  enter: 'In den Testmodus wechseln',
  leave: 'Zurück zu den echten Daten',
  mark: 'Testdaten',
  banner: 'Testmodus: das alles sind Testdaten. Kein echter Wert bewegt sich.',
  operatorBanner:
    'Testmodus: die aufgeführten Plattformen und zurückgehaltenen Ereignisse sind Testdaten.',
  agents: 'Testagenten',
  agentsLead:
    'Ein Agent, der im Testmodus angelegt wird, erhält einen Schlüssel, der mit avs_test_ beginnt. Bis zu zehn zugleich.',
  platform: 'Testplattform',
  platformLead: 'Ihr Schlüssel meldet über Testagenten wie eine unabhängige, geprüfte Plattform.',
  ownLead: 'Meldet über Testagenten wie Ihr Schlüssel über echte. Ein neuer ersetzt den vorigen.',
  platformName: 'Testplattform',
  makeKey: 'Testschlüssel erzeugen',
  key: 'Schlüssel der Testplattform',
  report: 'Über einen Testagenten melden',
  delete: 'Testdaten löschen',
  deleteLead:
    'Alle Testagenten, Testplattformen, Webhooks und Richtlinien des Testmodus werden endgültig gelöscht, ihre Schlüssel gelten nicht mehr. Echte Daten bleiben unberührt.',
  deleteAll: 'Alle Testdaten löschen',
  deleted: (agents: string, platforms: string, webhooks: string) =>
    `Gelöscht: Agenten ${agents}, Plattformen ${platforms}, Webhooks ${webhooks}.`,
}
