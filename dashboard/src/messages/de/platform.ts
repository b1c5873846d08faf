export const reported = {
  title: 'Gemeldete Agenten',
  lead: 'Öffnen Sie einen Agenten, um seinen Wert und die Meldungen dieser Plattform zu sehen.',
  report: 'Ereignis melden',
  type: 'Was geschah',
  data: 'Einzelheiten',
  dataHint: 'Ein JSON-Objekt, etwa {"amount": 120, "currency": "USD"}.',
  dataWrong: 'Das ist kein JSON-Objekt.',
  send: 'Melden',
  sent: (what: string) => `Gemeldet: ${what}`,
  sentHeld: (reason: string) => `Gemeldet und zur Prüfung zurückgehalten: ${reason}`,
  curl: 'Dasselbe mit curl',
}
