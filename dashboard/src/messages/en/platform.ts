export const reported = {
  title: 'Reported agents',
  lead: 'Open an agent to see its score and what this platform has reported about it.',
  report: 'Report an event',
  type: 'What happened',
  data: 'Details',
  dataHint: 'A JSON object, such as {"amount": 120, "currency": "USD"}.',
  dataWrong: 'This is not a JSON object.',
  send: 'Report',
  sent: (what: string) => `Reported: ${what}`,
  sentHeld: (reason: string) => `Reported, and held for review: ${reason}`,
  curl: 'The same by curl',
}
