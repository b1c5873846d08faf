import { type Lookup, Standing } from '@standing/sdk'
import { defineCommand } from '../command.ts'
import { serviceUrl, URL_OPTION } from '../service-url.ts'

export const lookup = defineCommand({
  name: 'lookup',
  operands: ['IDENTIFIER'],
  summary: 'Find an agent and its score by a domain, DID, URL or account',
  options: [
    URL_OPTION,
    {
      name: 'key',
      value: 'KEY',
      help: 'an API key, whose quota of lookups is used in place of the address’s',
      env: ['STANDING_API_KEY'],
    },
    { name: 'json', help: 'print the response as it is' },
  ],
  example: 'standing lookup did:web:agent.example.com',
  async run({ words: [identifier = ''], options, flags }, terminal) {
    const apiKey = options.key ?? terminal.env.STANDING_API_KEY
    const client = new Standing({
      baseUrl: serviceUrl(terminal, options),
      retriesMax: 1,
      ...(apiKey ? { apiKey } : {}),
    })
    const found = await client.lookup.get(identifier)
    terminal.say(flags.has('json') ? JSON.stringify(found) : describe(found))
    return found.match === 'verified' ? 0 : 1
  },
})

function describe({ identifier, match, agent, score }: Lookup): string {
  if (match === 'verified' && agent && score) {
    const { classification, confidence, eventCount } = score
    return (
      `${identifier} is ${agent.displayName} (${agent.id}, ${agent.status})\n` +
      `score ${score.score} (${classification}), ${confidence} confidence, ${eventCount} events`
    )
  }
  return match === 'claimed'
    ? `${identifier} is claimed, and not proven by anyone`
    : `${identifier} is not known`
}
