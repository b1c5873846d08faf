import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { createMailSender } from '../src/mail/send.ts'
import { commandIn } from './support/command.ts'
import { newDirectory } from './support/once.ts'

/** What a mail server without TLS got. */
const passwords: string[] = []
const recipients: string[] = []
const server = new SMTPServer({
  authOptional: true,
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  onAuth({ username, password }, _session, done) {
    passwords.push(password ?? '')
    done(password === 'right' ? null : new Error('Invalid login'), { user: username ?? '' })
  },
  onData(stream, { envelope }, done) {
    recipients.push(...envelope.rcptTo.map(({ address }) => address))
    stream.resume().on('end', done)
  },
})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
afterAll(() => new Promise<void>((closed) => server.close(closed)))
const address = server.server.address()
const port = typeof address === 'object' ? address?.port : 0

function send(host: string, to = 'ada@example.com'): Promise<void> {
  const url = `smtp://standing:right@${host.includes(':') ? host : `${host}:${port}`}`
  const sender = createMailSender({ url, from: 'standing@example.com' })
  return sender.send({ to, subject: 'A link', text: 'the link' }).finally(sender.close)
}

test('the password of the mail server is sent without TLS to this machine only', async () => {
  await send('127.0.0.1')
  expect(passwords.splice(0)).toEqual(['right'])
  // An address of this machine that does not say so.
  await expect(send('0.0.0.0')).rejects.toThrow(/STARTTLS|TLS/)
  expect(passwords).toEqual([])
  await send(`0.0.0.0:${port}?requireTLS=false`)
  expect(passwords.splice(0)).toEqual(['right'])
})

test('a mail goes to one address, also if that contains a comma', async () => {
  recipients.splice(0)
  await send('127.0.0.1', 'ada,bob@example.com').catch(() => {})
  expect(recipients).not.toContain('bob@example.com')
})

test('doctor signs in at the mail server, and says what that answers', async () => {
  const doctor = async (password: string) => {
    const typed = commandIn({
      STANDING_DATA_DIR: await newDirectory('mail-doctor-'),
      SMTP_URL: `smtp://standing:${password}@127.0.0.1:${port}`,
      STANDING_MAIL_FROM: 'standing@example.com',
      PORT: '0',
    })
    return (await typed('doctor')).said
  }
  expect(await doctor('right')).toMatch(/ok {3}mail +127\.0\.0\.1:\d+ answers/)
  expect(await doctor('wrong')).toMatch(
    /note mail .*refuses the mail of this service: Invalid login/,
  )
})
