import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { HOUR_MS } from '../../src/domain/time.ts'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { commandIn } from '../../test/support/command.ts'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { holdLocks, waitForLocks } from '../../test/support/hold-locks.ts'
import { refusal } from '../../test/support/http.ts'
import { newEd25519, signedBy } from '../../test/support/identifiers.ts'
import { startOidcServer } from '../../test/support/oidc.ts'
import {
  newAgent,
  newOwner,
  newPlatform,
  OPERATOR_KEY,
  startService,
} from '../../test/support/service.ts'
import { checkNode } from './doctor/machine.ts'
import { clock } from './doctor/server.ts'

const secret = Buffer.alloc(32, 7).toString('base64')
const at = await startService({ STANDING_RATE_LIMITS: 'off', STANDING_SECRET_KEY: secret })
const folder = await mkdtemp(join(tmpdir(), 'standing-cli-'))
const pool = createPool({ url: at.database.url }, { max: 1 })
afterAll(() => Promise.all([rm(folder, { recursive: true }), pool.end()]))

const env = {
  STANDING_OPERATOR_KEY: OPERATOR_KEY,
  STANDING_BASE_URL: at.url,
  DATABASE_URL: at.database.url,
  STANDING_SECRET_KEY: secret,
  STANDING_DATA_DIR: folder,
  PORT: '0',
}

const typed = commandIn(env)

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

/** An agent with 23 events, one of which is quarantined. */
async function agentWithHistory() {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const { data } = await client.events.report(agent.id, [
    ...Array.from({ length: 20 }, () => ({ type: 'task.completed' as const })),
    { type: 'payment.late', data: { amount: 10, daysLate: 2 } },
    { type: 'task.completed', data: { success: false } },
    { type: 'task.failed' },
  ])
  return { agent, events: data.map((event) => event?.id ?? '') }
}

test('database distribute says what is missing on a server without Citus, and changes nothing', async () => {
  for (const apply of ['', ' --apply']) {
    const { code, said } = await typed(`database distribute${apply}`)
    expect(code).toBe(1)
    expect(said).toMatch(/This database has no Citus.*create extension citus/s)
  }
  expect((await typed('database distribute --shards many')).code).toBe(2)
})

test('STANDING_URL takes precedence over STANDING_BASE_URL as the address of the service', async () => {
  const away = { STANDING_URL: 'http://127.0.0.1:1' }
  expect((await typed('platform create x', away)).said).toMatch(/Check that the service is running/)
  const here = { STANDING_URL: at.url, STANDING_BASE_URL: 'http://127.0.0.1:1' }
  expect((await typed('platform create x', here)).code).toBe(0)
})

describe('platform create', () => {
  test('prints a key that works', async () => {
    const { code, said } = await typed('platform create "My marketplace" --tier growth')
    expect(code).toBe(0)
    expect(said).toMatch(/My marketplace {2}\(growth\)/)
    const apiKey = /avp_\w+/.exec(said)?.[0] ?? ''
    const { agent } = await newAgent(at)
    const client = at.anyone.with({ apiKey })
    expect(await client.events.submit(agent.id, { type: 'task.completed' })).toMatchObject({
      reporterWeight: 0.1,
    })
    const vouched = await typed('platform create "My marketplace" --verified')
    const verified = at.anyone.with({ apiKey: /avp_\w+/.exec(vouched.said)?.[0] ?? '' })
    expect(await verified.events.submit(agent.id, { type: 'task.completed' })).toMatchObject({
      reporterWeight: 1,
    })
  })

  test('names what is missing or wrong', async () => {
    expect((await typed('platform create')).said).toMatch(
      /^NAME is missing\. Example: standing platform create/,
    )
    expect((await typed('platform create x', { STANDING_OPERATOR_KEY: '' })).said).toMatch(
      /STANDING_OPERATOR_KEY/,
    )
    expect(await typed('platform create x --tier gold')).toMatchObject({
      code: 2,
      said: expect.stringMatching(/^--tier must be one of free, growth, platform, not gold\./),
    })
    const other = await typed(`platform create x --operator-key avo_${'9'.repeat(32)}`)
    expect(other).toMatchObject({
      code: 4,
      said: expect.stringMatching(/Check that the key belongs/),
    })
    const nobody = await typed('platform create x --url http://127.0.0.1:1')
    expect(nobody).toMatchObject({
      code: 3,
      said: expect.stringMatching(/Check that the service is running/),
    })
  })
})

describe('keys', () => {
  const THUMBPRINT = /[\w-]{43}/

  test('are rotated for every purpose, stay listed, and can sign credentials again', async () => {
    const { agent, owner } = await newAgent(at)
    const credential = { agentId: agent.id, type: 'Audit', claims: {} }
    const { id, jwt } = await owner.client.credentials.issue(credential)
    const { code, said } = await typed('signing-key rotate')
    expect(code).toBe(0)
    const [credentials = '', receipts = '', tokens = ''] = said.split('\n')
    expect(tokens).toMatch(/^tokens {7}active {3}/)
    expect(credentials).toMatch(/^credentials {2}active {3}/)
    expect(receipts).toMatch(/^receipts {5}active {3}/)
    expect((await typed('signing-key list')).said).toMatch(
      /^credentials {2}active .*\ncredentials {2}retired .*\nreceipts {5}active .*\nreceipts {5}retired .*\ntokens {7}active .*\ntokens {7}retired /,
    )
    expect((await typed('signing-key reissue')).said).toMatch(
      /^[1-9]\d* credentials? signed again$/,
    )
    const renewed = await at.anyone.credentials.get(id)
    const header = Buffer.from(renewed.jwt.split('.')[0] ?? '', 'base64url').toString()
    expect(header).toContain(THUMBPRINT.exec(credentials)?.[0])
    expect(await at.anyone.credentials.verify(jwt)).toMatchObject({ valid: true })
  })

  test('are rotated for one purpose alone, and a leaked key can be revoked', async () => {
    const { said } = await typed('signing-key rotate --only receipts')
    expect(said).not.toMatch(/^credentials/m)
    const [kid = ''] = THUMBPRINT.exec(said) ?? []
    const revoked = await typed(`signing-key revoke ${kid} --reason "It leaked." --yes`)
    expect(revoked).toMatchObject({ code: 0, said: expect.stringMatching(/^receipts +revoked/) })
    const again = await typed(`signing-key revoke ${kid} --reason "Again." --yes`)
    expect(again).toMatchObject({ code: 0, said: revoked.said })
  })

  test('sign no credentials while the issuing is halted, and the list says so', async () => {
    const halted = await typed('signing-key halt --reason "A key may have leaked."')
    expect(halted).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^no credentials are issued since .*: A key may have leaked\./),
    })
    expect((await typed('signing-key list')).said).toMatch(/^no credentials are issued since /m)
    const { agent, owner } = await newAgent(at)
    const credential = { agentId: agent.id, type: 'Audit', claims: {} }
    expect(await refusal(owner.client.credentials.issue(credential))).toMatchObject({ status: 503 })
    expect(await typed('signing-key resume --reason "It is revoked."')).toMatchObject({
      code: 0,
      said: 'credentials are issued',
    })
    expect((await typed('signing-key list')).said).not.toMatch(/^no credentials/m)
    await owner.client.credentials.issue(credential)
  })

  test('require their operands and the operator key', async () => {
    expect((await typed('signing-key revoke')).said).toMatch(/^KID is missing/)
    expect((await typed('signing-key revoke x')).said).toMatch(
      /^--reason is missing\. Example: standing signing-key revoke KID --reason/,
    )
    expect((await typed('signing-key list x')).said).toMatch(/^Unexpected argument: x/)
    expect((await typed('signing-key revoke x --reason y --yes')).said).toMatch(/VALIDATION_ERROR/)
    expect((await typed('signing-key rotate --only logins')).said).toMatch(
      /^--only must be one of /,
    )
    expect(await typed('signing-key rotate', { STANDING_OPERATOR_KEY: '' })).toMatchObject({
      code: 4,
      said: expect.stringMatching(/STANDING_OPERATOR_KEY/),
    })
  })
})

test('webhook listen requires a token', async () => {
  expect(await typed('webhook listen')).toMatchObject({
    code: 4,
    said: expect.stringMatching(/STANDING_TOKEN/),
  })
})

test('owner set-tier takes an e-mail address or an id', async () => {
  const { owner, email, client } = await newOwner(at)
  expect(await typed(`owner set-tier ${email.toUpperCase()} growth`)).toMatchObject({ code: 0 })
  expect((await client.auth.me()).tier).toBe('growth')
  expect(await typed(`owner set-tier ${owner.id} platform`)).toMatchObject({ code: 0 })
  expect((await client.auth.me()).tier).toBe('platform')
  expect((await typed('owner set-tier nobody@example.com free')).said).toMatch(/No owner/)
  expect((await typed(`owner set-tier ${owner.id} gold`)).code).toBe(2)
})

describe('score replay', () => {
  test('confirms that everything stored follows from the log, while the service runs', async () => {
    const { agent } = await agentWithHistory()
    const one = await typed(`score replay ${agent.id}`)
    expect(one).toMatchObject({ code: 0, said: expect.stringMatching(/^1 agent, 23 events/) })
    expect(await typed('score replay --all')).toMatchObject({ code: 0 })
  })

  test('of all agents skips one that is deleted meanwhile', async () => {
    await agentWithHistory()
    const { agent } = await newAgent(at)
    const several = createPool({ url: at.database.url }, { max: 3 })
    onTestFinished(() => several.end())
    // The agents are listed, and the log of the first cannot be read yet.
    const unlock = await holdLocks(several, { text: 'lock table events in access exclusive mode' })
    const checked = typed('score replay --all')
    await waitForLocks(several, 1, checked)
    await several.query('delete from agent_states where agent_id = $1', [agent.id])
    await unlock()
    expect(await checked).toMatchObject({ code: 0, said: expect.stringContaining('bit for bit') })
  })

  test('confirms a history after a release, which folds and chains the log again', async () => {
    const { agent, events } = await agentWithHistory()
    const release = { decision: 'released', reason: 'It is fine.' } as const
    await at.operator.operator.review(events[21] ?? '', release)
    expect(await typed(`score replay ${agent.id}`)).toMatchObject({ code: 0 })
  })

  test('with --write recomputes a score that was stored by another model version', async () => {
    const { agent } = await agentWithHistory()
    await pool.query(
      `update agent_states set score = 7, model_version = '0.9.0' where agent_id = $1`,
      [agent.id],
    )
    const before = await typed(`score replay ${agent.id}`)
    expect(before).toMatchObject({
      code: 1,
      said: expect.stringMatching(/a score by 0\.9\.0 is stored/),
    })
    expect(await typed(`score replay ${agent.id} --write`)).toMatchObject({ code: 0 })
    expect(await typed(`score replay ${agent.id}`)).toMatchObject({ code: 0 })
  })

  test.each<[string, string, string | number]>([
    ['an event that was changed', `update events set data = '{"duration":1}' where seq = 5`, 4],
    ['an event that is gone', 'delete from events where seq = 5', 5],
    [
      'an event quarantined in the database',
      'update events set is_quarantined = true where seq = 5',
      4,
    ],
    ['a quarantined event counted', 'update events set is_quarantined = false where seq = 22', 21],
    ['a score that was changed', 'update agent_states set score = 999 where true', 'score'],
    ['a snapshot that was changed', 'update snapshots set score = 1 where number = 3', 'snapshot'],
    ['a snapshot that is gone', 'delete from snapshots where number = 3', 'snapshot'],
    [
      'a chain that was changed',
      String.raw`update agent_states set chain = '\x00' where true`,
      'chain',
    ],
  ])('names the agent and %s', async (_, sql, where) => {
    const { agent, events } = await agentWithHistory()
    await pool.query(`${sql} and agent_id = $1`, [agent.id])
    const { code, said } = await typed(`score replay ${agent.id}`)
    expect(code).toBe(1)
    expect(said).toContain(`agent ${agent.id} differs`)
    expect(said).toContain(typeof where === 'number' ? `at event ${events[where]}` : `: ${where}`)
  })

  test('requires one agent id, or --all', async () => {
    for (const args of ['', 'a b', 'no-id', `${crypto.randomUUID()} --all`]) {
      expect((await typed(`score replay ${args}`)).code, args).toBe(2)
    }
    expect((await typed(`score replay ${crypto.randomUUID()}`)).code).toBe(1)
  })
})

describe('lookup', () => {
  test('names the agent that has proven a name, and its score', async () => {
    const { agent, client } = await newAgent(at)
    const { privateKey, jwk } = await newEd25519()
    const value = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const claim = await client.identifiers.claim(agent.id, { type: 'did', value })
    expect(await typed(`lookup ${value}`)).toMatchObject({
      code: 1,
      said: `${value} is claimed, and not proven by anyone`,
    })
    const signature = await signedBy(privateKey, claim.challenge ?? '')
    await client.identifiers.verify(agent.id, claim.id, { signature })
    const { code, said } = await typed(`lookup ${value}`)
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringContaining(`is agent (${agent.id}, active)\nscore 100 (untrusted)`),
    })
    const { said: json } = await typed(`lookup ${value} --json`)
    expect(JSON.parse(json)).toMatchObject({ match: 'verified', agent: { id: agent.id } })
  })

  test('exits with code 1 for a name without an agent', async () => {
    const said = 'did:web:nobody.example.com is not known'
    expect(await typed('lookup did:web:nobody.example.com')).toMatchObject({ code: 1, said })
  })
})

describe('policy', () => {
  test('is stored from a file, listed, tested on the platform’s history, and deleted', async () => {
    const { agent } = await newAgent(at)
    const { platform, client } = await newPlatform(at)
    const paid = { type: 'payment.completed', data: { amount: 20 } } as const
    await client.events.report(agent.id, [paid, paid, { ...paid, type: 'payment.failed' }])
    const key = { STANDING_API_KEY: platform.apiKey }
    const open = await file('open.json', '{ "minScore": 0, "maxExposure": 100 }')
    const line = 'open: score 0, confidence low, unknown review, disputed review, exposure $100'
    expect(await typed(`policy set open ${open}`, key)).toMatchObject({ code: 0, said: line })
    expect(await typed('policy list', key)).toMatchObject({ code: 0, said: line })
    const { said } = await typed('policy test open', key)
    expect(said).toMatch(/^3 deals\n/)
    expect(said).toMatch(/without a policy \$6\.67/)
    const strict = await file('strict.json', '{ "minScore": 1000 }')
    const { said: json } = await typed(`policy test none --file ${strict} --json`, key)
    expect(JSON.parse(json)).toMatchObject({ deals: 3, deny: { deals: 3, loss: 20 } })
    expect((await typed(`policy test none --file ${strict}`, key)).said).toMatch(
      /^expected loss of a deal: none is allowed, without a policy \$6\.67$/m,
    )
    await client.decisions.decide({ identifier: 'a.example.com', policy: 'open' })
    expect(await typed('decision list --limit 1', key)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/Z review a\.example\.com: agent_unknown$/),
    })
    const asked = `decision ask ${agent.id} --policy open`
    expect(await typed(asked, key)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^allow: the score of \d+ is at least 0\n.*confidence$/),
    })
    const { code, said: denied } = await typed(`${asked} --amount 100.5 --json`, key)
    expect([code, JSON.parse(denied).reasons[0].code]).toEqual([1, 'above_max_exposure'])
    expect(await typed('decision ask unknown.example.com', key)).toMatchObject({
      code: 1,
      said: 'review: no agent has proven this name, so there is no score',
    })
    expect(await typed(`${asked} --amount 1,000`, key)).toMatchObject({ code: 2 })
    expect(await typed('policy delete open', key)).toMatchObject({ code: 0 })
    expect(await typed('policy list', key)).toMatchObject({
      code: 0,
      out: '',
      said: 'There is nothing to list.',
    })
  })

  test('that was tested on one deal says so', async () => {
    const { agent } = await newAgent(at)
    const { platform, client } = await newPlatform(at)
    await client.events.submit(agent.id, { type: 'payment.completed', data: { amount: 20 } })
    const any = await file('one.json', '{ "minScore": 0 }')
    const key = { STANDING_API_KEY: platform.apiKey }
    expect((await typed(`policy test one --file ${any}`, key)).said).toMatch(/^1 deal\n/)
  })

  test('says what is missing or wrong', async () => {
    expect((await typed('policy list')).said).toMatch(/--key is missing/)
    const { platform } = await newPlatform(at)
    const key = { STANDING_API_KEY: platform.apiKey }
    const broken = await file('broken-policy.json', '{')
    expect((await typed(`policy set a ${broken}`, key)).said).toMatch(/is not JSON/)
    expect((await typed('policy set a /no/such/file', key)).said).toMatch(/cannot be read/)
    const loose = await file('loose.json', '{ "unknown": "allow" }')
    expect((await typed(`policy set a ${loose}`, key)).said).toMatch(/unknown: must not be allow/)
  })
})

describe('score diff', () => {
  test('shows which agents would change tier with other parameters, and changes nothing', async () => {
    const { agent } = await agentWithHistory()
    const { score, classification } = await at.anyone.score.get(agent.id)
    const same = await file('same.json', '{ "scoreMax": 1000 }')
    const unmoved = await typed(`score diff --model ${same}`)
    expect(unmoved.said).toMatch(
      /^\d+ agents?: 0 would rise and 0 fall to another tier; 0 scores would change/,
    )
    const next = await file('next.json', '{ "unknownTrust": 0.9, "identityStart": 1 }')
    const { code, said } = await typed(`score diff --model ${next}`)
    expect(code).toBe(0)
    expect(said).toContain(`${agent.id}  ${score} → `)
    expect(said).toMatch(new RegExp(`${agent.id} .* ${classification} → (fair|good)`))
    expect(said).toMatch(/[1-9]\d* would rise and 0 fall/)
    expect((await at.anyone.score.get(agent.id)).score).toBe(score)
  })

  test('refuses a parameter that the model does not have or that has the wrong shape', async () => {
    const wrong = await file('wrong.json', '{ "scoremax": 1 }')
    expect((await typed(`score diff --model ${wrong}`)).said).toMatch(/has no scoremax/)
    const broken = await file('broken.json', '{ "scoreMax": ')
    expect((await typed(`score diff --model ${broken}`)).said).toMatch(/is not JSON/)
    const list = await file('list.json', '[1]')
    expect((await typed(`score diff --model ${list}`)).said).toMatch(/one JSON object/)
    const partial = await file('partial.json', '{"taskObservation":{"completed":1}}')
    expect((await typed(`score diff --model ${partial}`)).said).toMatch(
      /taskObservation lacks failed/,
    )
    const worded = await file('worded.json', '{"halfLifeDays":"long"}')
    expect((await typed(`score diff --model ${worded}`)).said).toMatch(/must be a number/)
    expect((await typed('score diff --model /nowhere.json')).said).toMatch(/cannot be read/)
    expect((await typed('score diff')).said).toMatch(/--model/)
  })
})

test('an export and an import exit with code 3 without an answer, and with 4 for a wrong key', async () => {
  const past = await file('past.jsonl', '{}')
  for (const command of ['agent export x', `import ${past} --dry-run`]) {
    const away = await typed(`${command} --url http://127.0.0.1:9`)
    expect(away).toMatchObject({ code: 3, said: expect.stringContaining('cannot reach') })
    const refused = await typed(`${command} --operator-key avo_${'9'.repeat(32)}`)
    expect(refused).toMatchObject({ code: 4, said: expect.stringContaining('standing login') })
  }
})

test('a refused export has the details of the error, as every command', async () => {
  const { code, out, said } = await typed(`agent export ${crypto.randomUUID()} --json`)
  expect({ code, out, said }).toMatchObject({ code: 1 })
  expect(JSON.parse(out || said).error.details.requestId).toMatch(/./)
})

test('an address that ends in /v1 is that of the service, for every command', async () => {
  const { agent, client } = await newAgent(at)
  await client.events.submit(agent.id, { type: 'task.completed' })
  for (const url of [`${at.url}/v1`, `${at.url}/v1/`]) {
    for (const line of ['score get', 'agent export']) {
      expect(await typed(`${line} ${agent.id} --url ${url}`)).toMatchObject({ code: 0 })
    }
  }
})

test('an address that is not one is wrong usage, named by its option or variable', async () => {
  const form =
    'localhost:8080 is not an http or https address. It has the form http://127.0.0.1:8080.'
  expect(await typed('score get x --url localhost:8080')).toMatchObject({
    code: 2,
    said: expect.stringContaining(`--url ${form}`),
  })
  expect(await typed('score get x', { STANDING_URL: 'localhost:8080' })).toMatchObject({
    code: 2,
    said: expect.stringContaining(`STANDING_URL ${form}`),
  })
})

test('a database that cannot be reached is named without its password, and without a stack', async () => {
  const url = 'postgres://ada:s3cret@127.0.0.1:9/standing'
  for (const line of ['database status', 'score replay --all', 'backup nowhere.backup']) {
    const { code, said } = await typed(`${line} --database-url ${url}`)
    expect([code, said]).toEqual([
      1,
      'The database of DATABASE_URL (127.0.0.1:9/standing) cannot be used: connect ECONNREFUSED ' +
        '127.0.0.1:9. Check that it runs, and that host and port are correct.',
    ])
  }
})

test('an export that ends in the middle of a line fails after its complete lines', async () => {
  const server = createServer((socket) => {
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"a":1}\n{"b"')
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const { code, out, said } = await typed(`agent export x --url http://127.0.0.1:${port}`)
  expect([code, out]).toEqual([1, '{"a":1}'])
  expect(said).toContain('in the middle of a line')
})

describe('verify', () => {
  test('proves a score from two files and the keys, and names any difference', async () => {
    const { agent, events } = await agentWithHistory()
    const answer = await at.anyone.score.getReceipt(agent.id)
    const text = await at.operator.events.export(agent.id)
    const receipt = await file('receipt.json', JSON.stringify(answer))
    const jws = await file('receipt.jws', answer.receipt)
    const log = await file('events.jsonl', text)
    const keys = await file('keys.json', JSON.stringify(await at.anyone.score.receiptKeys()))
    for (const one of [receipt, jws]) {
      const { code, said } = await typed(`verify ${one} ${log} --key ${keys}`)
      expect(code).toBe(0)
      expect(said).toContain(`had ${answer.payload.score.score} `)
      expect(said).toMatch(/signed: by one of the given keys/)
    }
    expect((await typed(`verify ${jws} ${log}`)).said).toMatch(/signed: not checked/)
    const changed = await file('changed.jsonl', text.replace('"daysLate":2', '"daysLate":1'))
    const { code, said } = await typed(`verify ${jws} ${changed} --key ${keys}`)
    expect(code).toBe(1)
    expect(said).toMatch(/^NOT PROVEN/)
    expect(said).toContain(`event ${events[20]} (line 21)`)
    const none = await file('none.json', '{"keys":[]}')
    expect((await typed(`verify ${jws} ${log} --key ${none}`)).said).toMatch(/does not verify/)
  })

  test('names a file that it cannot read', async () => {
    expect((await typed('verify /nowhere /neither')).said).toMatch(/cannot be read/)
    expect((await typed('verify one')).said).toMatch(/^EVENTS is missing/)
  })
})

describe('doctor', () => {
  test('finds no problem while the service runs', async () => {
    const { code, said } = await typed('doctor')
    expect(said).not.toContain('FAIL')
    expect(code).toBe(0)
    expect(said).toMatch(/ok {3}database +PostgreSQL \d+/)
    expect(said).toMatch(/ok {3}migrations +up to date/)
    expect(said).toMatch(/ok {3}secret +the one that the database was set up with/)
    expect(await typed('doctor', { PORT: new URL(at.url).port })).toMatchObject({
      code: 0,
      said: expect.stringMatching(/Standing is running there/),
    })
  })

  test('says how to fix each problem', async () => {
    const other = Buffer.alloc(32, 8).toString('base64')
    const wrongSecret = await typed('doctor', { STANDING_SECRET_KEY: other })
    expect(wrongSecret).toMatchObject({
      code: 1,
      said: expect.stringMatching(/FAIL secret.*\n +→/),
    })
    const away = await typed('doctor --database-url postgres://nobody@127.0.0.1:1/none')
    expect(away).toMatchObject({ code: 1, said: expect.stringMatching(/FAIL database.*\n +→/) })
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as { port: number }
    server.on('connection', (socket) => socket.destroy())
    const taken = await typed(`doctor --port ${port}`)
    expect(taken).toMatchObject({ code: 1, said: expect.stringMatching(/is in use\n +→ Set PORT/) })
    await new Promise((done) => server.close(done))
    expect(checkNode('18.20.1')).toMatchObject({ level: 'FAIL' })
    expect((await typed('doctor --port x')).said).toMatch(/--port must be/)
  })

  test('checks permissions, connections, clock and notifications of the database', async () => {
    const { said } = await typed('doctor')
    expect(said).toMatch(/ok {3}settings +every one is known/)
    expect(said).toMatch(/ok {3}rights +\w+ may create and change the tables/)
    expect(said).toMatch(/ok {3}connections +\d+ allowed, enough for \d+ nodes/)
    expect(said).toMatch(/ok {3}clock +this machine and the database have the same time/)
    expect(said).toMatch(/ok {3}notifications +arrive/)
    expect(said).toMatch(/ok {3}privacy +only this user may read/)
    expect(said).toMatch(/note backup +none by `standing backup` yet/)
    const hourAhead = await clock(pool, () => Date.now() + HOUR_MS)
    expect(hourAhead).toMatchObject({
      level: 'FAIL',
      finding: expect.stringMatching(/ s ahead of the database$/),
    })
  })

  test('names the permissions that the database user lacks', async () => {
    await pool.query(
      `drop role if exists doctor_reader; create role doctor_reader login connection limit 9`,
    )
    const url = new URL(at.database.url)
    url.username = 'doctor_reader'
    const { code, said } = await typed('doctor', { DATABASE_URL: url.href })
    await pool.query('drop role doctor_reader')
    expect(code).toBe(1)
    expect(said).toMatch(/FAIL connections +only 9 are allowed, and a node opens up to 18/)
    expect(said).toMatch(
      /FAIL rights +the user doctor_reader may not create tables\n +→ .*grant usage, create on schema public to "doctor_reader";/,
    )
  })

  test('finds the provider also with a slash after its host, as sign-ins do', async () => {
    const { issuer } = await startOidcServer()
    const provider = { STANDING_OIDC_ISSUER: `${issuer}/`, STANDING_OIDC_CLIENT_ID: 'standing' }
    const { said } = await typed('doctor', provider)
    expect(said).toMatch(/ok {3}provider +http:\/\/127\.0\.0\.1:\d+\/ answers/)
    const other = { ...provider, STANDING_OIDC_ISSUER: `${issuer}/realms/other` }
    expect((await typed('doctor', other)).said).toMatch(/note provider .*is not that issuer/)
  })

  test('names the time limits that a role behind a pooler lacks', async () => {
    const role = `pooled_${Date.now()}`
    await pool.query(`create role ${role} login; grant standing to ${role}`)
    const address = new URL(at.database.url)
    address.username = role
    const pooled = { DATABASE_URL: address.href, DATABASE_DIRECT_URL: at.database.url }
    const { said } = await typed('doctor', pooled)
    expect(said).toMatch(/note pooler +the user pooled_\d+ has no time limits/)
    const [, advice = ''] = /→ (alter role pooled_.*)/.exec(said) ?? []
    expect(advice).toContain("set statement_timeout = '5000ms';")
    await pool.query(advice)
    expect((await typed('doctor', pooled)).said).toMatch(/ok {3}pooler +leads to the database of/)
    await pool.query(`drop role ${role}`)
  })

  test('names a DATABASE_DIRECT_URL of another database, and a replica that cannot be read', async () => {
    const another = await createEmptyDatabase()
    const { code, said } = await typed('doctor', {
      DATABASE_DIRECT_URL: another.url,
      DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1:1/none',
      STANDING_NOTIFY: 'off',
    })
    await another.drop()
    expect(code).toBe(1)
    expect(said).toMatch(/FAIL pooler .*is another database than DATABASE_URL/)
    expect(said).toMatch(/note replica .*DATABASE_REPLICA_URL .*ECONNREFUSED/)
    expect(said).toMatch(/ok {3}notifications +off/)
  })

  test('names misspelt settings, a key file that others can read, and unreachable services', async () => {
    const misspelt = await typed('doctor', { STANDING_OPERATER_KEY: 'x', STANDING_DATA_DIRR: 'y' })
    expect(misspelt.code).toBe(1)
    expect(misspelt.said).toMatch(
      /FAIL settings .*mean STANDING_OPERATOR_KEY\?.*mean STANDING_DATA_DIR\?/,
    )
    const stray = await typed('doctor', { STANDING_WEATHER: 'fine' })
    expect(stray.said).toMatch(/note settings +not a setting, and ignored: STANDING_WEATHER/)
    const key = await file('secret.key', secret)
    await chmod(key, 0o644)
    const open = await typed('doctor')
    await rm(key)
    expect(open).toMatchObject({
      code: 1,
      said: expect.stringMatching(/FAIL privacy .*secret\.key\n +→ chmod go= /),
    })
    const closed = await freePort()
    const away = await typed('doctor', {
      SMTP_URL: `smtp://127.0.0.1:${closed}`,
      STANDING_MAIL_FROM: 'standing@example.com',
      STANDING_OIDC_ISSUER: `http://127.0.0.1:${closed}`,
      STANDING_OIDC_CLIENT_ID: 'standing',
    })
    expect(away.code).toBe(0)
    expect(away.said).toMatch(/note mail +127\.0\.0\.1:\d+ does not answer: ECONNREFUSED\n +→/)
    expect(away.said).toMatch(
      /note provider +http:\/\/127\.0\.0\.1:\d+ does not answer: ECONNREFUSED\n +→/,
    )
  })

  test('names what the first start will create', async () => {
    const { code, said } = await typed('doctor', { DATABASE_URL: '', STANDING_SECRET_KEY: '' })
    expect(code).toBe(0)
    expect(said).toMatch(/note database +none yet/)
    expect(said).toMatch(/ok {3}binaries .*runs as/)
  })
})
