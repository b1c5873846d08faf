/** A task or a payment as a marketplace reports it. */

export function task(isBad: boolean, random: () => number) {
  const duration = Math.round(400 + random() * 9_000)
  if (!isBad) {
    return { type: 'task.completed', data: { duration } }
  }
  return random() < 0.3
    ? { type: 'task.timeout', data: { duration: 30_000 } }
    : { type: 'task.failed', data: { duration, errorCode: 'E_UPSTREAM' } }
}

export function payment(isBad: boolean, random: () => number) {
  const amount = Math.round((20 + random() * 180) * 100) / 100
  const data = { amount, currency: random() < 0.7 ? 'USD' : 'EUR' }
  if (!isBad) {
    return { type: 'payment.completed', data }
  }
  return random() < 0.6
    ? { type: 'payment.late', data: { ...data, daysLate: Math.ceil(random() * 9) } }
    : { type: 'payment.disputed', data }
}
