export const transfers = {
  title: 'Übergaben',
  lead: 'Agenten, die den Eigentümer wechseln. Bis ein Angebot angenommen wird, ändert sich nichts; es gilt sieben Tage.',
  none: 'Noch keine Übergabe',
  noneText:
    'In den Einstellungen eines Agenten bieten Sie ihn einem anderen Konto an. Was Ihnen angeboten wird, steht hier.',
  agent: 'Agent',
  party: 'Von oder an',
  from: (name: string) => `von ${name}`,
  to: (name: string) => `an ${name}`,
  until: 'Offen bis, oder beendet',
  accept: 'Annehmen',
  decline: 'Ablehnen',
  withdraw: 'Zurückziehen',
  declined: (name: string) => `Das Angebot von ${name} ist abgelehnt.`,
  withdrawn: (name: string) => `Das Angebot von ${name} ist zurückgezogen.`,
  received: (from: string, name: string, until: string) =>
    `${from} bietet Ihnen den Agenten ${name} an, bis ${until}.`,
  look: 'Angebot ansehen',
  acceptTitle: (name: string) => `${name} annehmen`,
  offeredBy: (name: string) => `Angeboten von ${name}. Sein Wert jetzt:`,
  stays: 'Bleibt',
  staysWhat: 'seine ID, seine Ereignisse, gute und schlechte, und sein Verlauf',
  ends: 'Endet',
  endsWhat:
    'seine Schlüssel, seine Nachweise und die Belege seiner Kennungen; der neue Eigentümer erhält einen Schlüssel',
  restarts: 'Beginnt von vorn',
  restartsWhat:
    'seine Dauer und was in einem Geschäft auf dem Spiel stehen darf: der Wert fällt zuerst und kommt mit guter Arbeit wieder',
  section: 'Übergabe',
  sectionLead: 'Gibt den Agenten mit allem, was über ihn gemeldet wurde, an ein anderes Konto.',
  offer: 'Agenten anbieten',
  offerTitle: (name: string) => `${name} anbieten`,
  recipient: 'E-Mail oder Konto-ID des neuen Eigentümers',
  recipientHint: 'Das Konto, das sie bei der Annahme hat, innerhalb von sieben Tagen.',
  offeredTo: (name: string) => `${name} hat ein Angebot.`,
  offered: (name: string, until: string) => `Angeboten an ${name}, bis ${until}.`,
}

export const successors = {
  section: 'Nachfolger',
  sectionLead:
    'Für eine neue Version mit eigenem Schlüssel: sie tritt an die Stelle dieses Agenten.',
  replace: 'Agenten ersetzen',
  title: (name: string) => `${name} ersetzen`,
  lead: 'Ein neuer Agent übernimmt alle Meldungen, gute wie schlechte, die Kennungen und die Hälfte der Dauer. Dieser hier wird für immer stillgelegt; sein Schlüssel und seine Nachweise enden.',
  nameHint: 'Name des neuen Agenten.',
  replacedBy: 'Ersetzt durch',
  replaces: 'Übernahm die Meldungen von',
  actsFor: 'Handelt für',
  actors: 'Agenten, die für ihn handeln:',
}
