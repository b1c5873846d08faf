import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { atEnd } from './at-end.ts'
import { eventually } from './eventually.ts'

export interface MailServer {
  readonly url: string
  /** Every mail that was delivered: head and text. */
  readonly mails: readonly ReceivedMail[]
  /** The link in the newest mail to this address, once there are so many mails to it. */
  linkTo(address: string, count?: number): Promise<URL>
  /** Whether mails are accepted; otherwise each attempt is refused as by a mail server in trouble. */
  accept(accepts: boolean): void
  readonly refused: () => number
}

export interface ReceivedMail {
  readonly to: string
  readonly text: string
}

/** A real SMTP server on loopback that keeps what it gets. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  let accepts = true
  let refused = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (!accepts) {
          refused++
          return done(Object.assign(new Error('try again later'), { responseCode: 451 }))
        }
        const text = Buffer.concat(parts).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=')
        for (const { address } of envelope.rcptTo) {
          mails.push({ to: address, text })
        }
        done()
      })
    },
  })
  const { server: listening } = server
  server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  atEnd(() => new Promise<void>((closed) => server.close(closed)))
  const address = listening.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refused: () => refused,
    accept: (value) => {
      accepts = value
    },
    async linkTo(to, count = 1) {
      let link = ''
      await eventually(async () => {
        const own = mails.filter((mail) => mail.to === to)
        link = /https?:\/\/\S+/.exec(own[count - 1]?.text ?? '')?.[0] ?? ''
        if (link === '') {
          throw new Error(`${own.length} mails to ${to}`)
        }
      })
      return new URL(link)
    },
  }
}
