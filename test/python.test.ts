import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notification, WEBHOOK_SECRET } from '../sdk/test/snippets.ts'
import { newAgent, newOwner, newPlatform, PASSWORD, startService } from './support/service.ts'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)

const version = await run('python3', ['--version']).then(
  ({ stdout }) => stdout.trim(),
  () => null,
)

test('its types and operations are those of openapi.json', async () => {
  await run(process.execPath, ['scripts/python-client.mjs', '--check'], { cwd: ROOT })
})

if (version === null) {
  test('the Python client is not tested: there is no python3', () => {
    process.stderr.write('The Python client is not tested: there is no python3 on this machine.\n')
  })
} else {
  describe(`the Python client, installed from its folder, by ${version}`, withPython)
}

function withPython() {
  let home = ''
  let given: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    const at = await startService()
    home = await mkdtemp(join(tmpdir(), 'standing-python-'))
    // No index: an install takes nothing from the network. Without dependencies, pip loads half as much.
    const without = ['--no-index', '--no-deps', '--no-compile', '--disable-pip-version-check']
    const flags = ['--quiet', ...without, '--target', home]
    await run('python3', ['-m', 'pip', 'install', ...flags, join(ROOT, 'clients/python')])
    const owner = await newOwner(at)
    const { agent } = await newAgent(at, owner)
    const { platform } = await newPlatform(at)
    const { rawBody, request } = notification()
    given = {
      STANDING_URL: at.url,
      agent_id: agent.id,
      agent_key: agent.apiKey,
      platform_key: platform.apiKey,
      email: owner.email,
      password: PASSWORD,
      webhook_secret: WEBHOOK_SECRET,
      raw_body: rawBody,
      headers: JSON.stringify(request.headers),
    }
  })
  afterAll(() => rm(home, { recursive: true }))

  /** Runs a program outside the checkout, which knows what the README's snippets do not define. */
  async function python(code: string): Promise<string> {
    const file = join(home, 'program.py')
    const names = Object.keys(given).filter((name) => name !== 'STANDING_URL')
    const prelude = [
      'import json, os',
      ...names.map((name) => `${name} = os.environ["${name}"]`),
      'headers = json.loads(headers)',
    ]
    await writeFile(file, `${prelude.join('\n')}\n${code}`)
    const env = { ...given, PATH: process.env.PATH ?? '', PYTHONWARNINGS: 'error' }
    // A program that waits for a request that never comes is ended before its test is.
    const { stdout, stderr } = await run('python3', [file], { cwd: home, env, timeout: 60_000 })
    // A program that leaves a socket behind complains there. If a thread does so late, the program dies.
    expect(stderr).toBe('')
    return stdout
  }

  test('depends on no other package', async () => {
    const [info = ''] = (await readdir(home)).filter((name) => name.endsWith('.dist-info'))
    const metadata = await readFile(join(home, info, 'METADATA'), 'utf8')
    expect(metadata).toMatch(/^Name: standing$/m)
    expect(metadata).not.toMatch(/^Requires-Dist:/m)
  })

  test('runs each snippet of its README', async () => {
    const text = readFileSync(join(ROOT, 'clients/python/README.md'), 'utf8')
    const snippets = [...text.matchAll(/^```python\n(.*?)^```$/gms)].map(([, code = '']) => code)
    expect(snippets).toHaveLength(5)
    const out = await python(snippets.join('\n'))
    expect(out).toMatch(/^100 untrusted low\n/)
    expect(out).toMatch(/invoice-bot\n[\s\S]*the score of \d+ is below 500/)
  })

  test('reports in batches, names refused events, and counts a repeated report once', async () => {
    const out = await python(`
from standing import Standing
client = Standing(api_key=platform_key)
events = [{"type": "task.completed", "externalId": f"batch-{n}"} for n in range(60)]
events[7] = {"type": "task.done"}
first, again = client.report(agent_id, events), client.report(agent_id, events)
print(first["accepted"], first["rejected"], [one["index"] for one in first["errors"]])
print([one and one["id"] for one in first["data"]] == [one and one["id"] for one in again["data"]])
print(len(list(client.each(client.list_events, agent_id, limit=25))) >= 59)
print(client.scores([agent_id, agent_id])[agent_id]["eventCount"] >= 59)
`)
    expect(out).toBe('59 1 [7]\nTrue\nTrue\nTrue\n')
  })

  test('raises an exception for refused requests, and for impossible ones', async () => {
    const out = await python(`
from standing import Standing, StandingError, verify_webhook_signature
def code(call):
    try:
        call()
        return "nothing"
    except StandingError as error:
        return f"{error.status} {error.code}"
agent = Standing(api_key=agent_key)
other = "01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e"
print(code(lambda: Standing().get_score(other)))
print(code(lambda: Standing().get_score("..")))
print(code(lambda: Standing().list_agents()))
print(code(lambda: Standing(mode="test").get_score(agent_id)))
print(code(lambda: agent.report(other, {"type": "task.completed"})))
print(code(lambda: Standing("http://127.0.0.1:9", retry_for=0).get_score(other)))
print(code(lambda: Standing("localhost:8080")))
print(code(lambda: verify_webhook_signature(raw_body + " ", headers, webhook_secret)))
print(code(lambda: verify_webhook_signature(raw_body, headers, webhook_secret, now=0)))
print(code(lambda: verify_webhook_signature(raw_body, {}, webhook_secret)))
`)
    expect(out.trim().split('\n')).toEqual([
      '404 NOT_FOUND',
      '0 INVALID_CALL',
      '401 AUTHENTICATION_REQUIRED',
      '401 AUTHENTICATION_REQUIRED',
      '0 INVALID_CALL',
      '0 NETWORK_ERROR',
      '0 INVALID_CALL',
      '0 WEBHOOK_INVALID',
      '0 WEBHOOK_INVALID',
      '0 WEBHOOK_INVALID',
    ])
  })

  test('raises its own error for every answer that is not the service’s', async () => {
    const out = await python(`
import socket, threading
from email.utils import formatdate
from standing import Standing, StandingError
def serve(answers):
    server = socket.create_server(("127.0.0.1", 0))
    def run():
        with server:
            for answer in answers:
                connection, _ = server.accept()
                with connection:
                    connection.recv(65536)
                    connection.sendall(answer)
    threading.Thread(target=run).start()
    return f"http://127.0.0.1:{server.getsockname()[1]}"
def answer(head, body=b"", length=0):
    return f"HTTP/1.1 {head}\\r\\ncontent-length: {length or len(body)}\\r\\n\\r\\n".encode("latin-1") + body
def code(call):
    try:
        return call()
    except StandingError as error:
        return f"{error.status} {error.code}"
def asked(*answers):
    return Standing(serve(answers), api_key=platform_key, retry_for=0)
score = lambda *answers: code(lambda: asked(*answers).get_score("a"))
print(score(answer("200 OK")), score(answer("200 OK", b"<p>")), score(answer("200 OK", b"[]")))
print(score(answer("200 OK", b'{"score":', 100)), score(answer("400 No", b"{", 9)), score(b"hello\\r\\n\\r\\n"))
print(code(lambda: asked(answer("200 OK\\r\\ncontent-type: text/html", b"<p>\\n")).export_events("a")))
print(code(lambda: asked(answer("200 OK", b"{}")).report("a", {"type": "task.completed"})))
circle = asked(*[answer("200 OK", b'{"data": [1], "nextCursor": "x"}')] * 2)
print(code(lambda: list(circle.each(circle.list_policies))))
waits = []
for head in ("429 No\\r\\nretry-after: \\u00b2", f"503 No\\r\\nretry-after: {formatdate(0, usegmt=True)}"):
    client = Standing(serve([answer(head), answer("200 OK", b'{"score": 1}')]), on_wait=lambda error, seconds: waits.append(error.retry_after))
    print(client.get_score("a"))
print(waits)
cut = asked(answer("200 OK", b'{"accepted": 100, "rejected": 0, "errors": [], "data": []}'), answer("403 No"))
try:
    cut.report("a", [{"type": "task.completed"}] * 150)
except StandingError as error:
    print(error.status, error.details["partial"]["accepted"])
`)
    expect(out.trim().split('\n')).toEqual([
      Array(3).fill('200 UNEXPECTED_RESPONSE').join(' '),
      Array(3).fill('0 NETWORK_ERROR').join(' '),
      '200 UNEXPECTED_RESPONSE',
      '200 UNEXPECTED_RESPONSE',
      '200 UNEXPECTED_RESPONSE',
      "{'score': 1}",
      "{'score': 1}",
      '[None, 0.0]',
      '403 100',
    ])
  })

  test.each(['head', 'body'])('ends an answer whose %s never comes to its end', async (part) => {
    const out = await python(`
import socket, threading, time
from standing import Standing, StandingError
server = socket.create_server(("127.0.0.1", 0))
def trickle():
    with server:
        connection, _ = server.accept()
    with connection:
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\\r\\n" + (b"x: " if "${part}" == "head" else b"\\r\\n"))
        try:
            while True:
                connection.sendall(b" ")
                time.sleep(0.01)
        except OSError:
            print("left")
thread = threading.Thread(target=trickle)
thread.start()
client = Standing(f"http://127.0.0.1:{server.getsockname()[1]}", timeout=0.2, retry_for=0)
try:
    client.get_classifications()
except StandingError as error:
    print(error.code)
thread.join()
`)
    expect(out.trim().split('\n').toSorted()).toEqual(['TIMEOUT', 'left'])
  })

  test('raises its own error for arguments that cannot be sent, and for forged headers', async () => {
    const out = await python(`
from standing import Standing, StandingError, verify_webhook_signature
def code(call):
    try:
        return call() and "done"
    except StandingError as error:
        return error.code
here = Standing(retry_for=0, token="x")
print(code(lambda: here.register_agent({"displayName": {1}})))
print(code(lambda: here.register_agent({"displayName": float("nan")})))
print(code(lambda: here.register_agent({"displayName": "a"}, idempotency_key="a\\nb")))
print(code(lambda: Standing(api_key="avp_a", token="avp_b")))
print(code(lambda: Standing(api_key=platform_key + "\\n").list_policies()))
print(code(lambda: here.get_score("\\ud800")))
print(code(lambda: here.look_up(identifier="\\ud800")))
addresses = ("http://a b", "http://[::1", "http://a:b", "http://", "http://u@a", "http://a?b", "http://" + "a" * 64)
print([code(lambda: Standing(address)) for address in addresses])
print([Standing(address).base_url for address in (" http://a/v1/ ", "HTTPS://a:1/b/", "http://[::1]:8080")])
verify = verify_webhook_signature
print(code(lambda: verify(json.loads(raw_body), headers, webhook_secret)))
print(code(lambda: verify(raw_body, headers, webhook_secret, tolerance=float("nan"))))
print([code(lambda: verify(raw_body, headers, secret)) for secret in (None, "whsec_", "whsec_é")])
forged = {"webhook-timestamp": ["²", "9" * 400, "9" * 5000], "webhook-signature": ["v1,é"]}
print([code(lambda: verify(raw_body, {**headers, name: value}, webhook_secret)) for name in forged for value in forged[name]])
`)
    expect(out.trim().split('\n')).toEqual([
      'INVALID_CALL',
      'INVALID_CALL',
      'INVALID_CALL',
      'INVALID_CALL',
      'done',
      'INVALID_CALL',
      'INVALID_CALL',
      `[${Array.from({ length: 7 }, () => "'INVALID_CALL'").join(', ')}]`,
      "['http://a', 'HTTPS://a:1/b', 'http://[::1]:8080']",
      'INVALID_CALL',
      'INVALID_CALL',
      "['INVALID_CALL', 'INVALID_CALL', 'INVALID_CALL']",
      "['WEBHOOK_INVALID', 'WEBHOOK_INVALID', 'WEBHOOK_INVALID', 'WEBHOOK_INVALID']",
    ])
  })

  test('repeats a write under one key until the service is back, and sends no key elsewhere', async () => {
    const out = await python(`
import http.server, threading
from standing import Standing
seen = []
class Away(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        seen.append((self.headers["idempotency-key"], self.headers["authorization"]))
        body = b'{"id": "e"}' if len(seen) >= 3 else b"{}"
        self.send_response(201 if len(seen) >= 3 else 503)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass
os.environ["STANDING_API_KEY"] = platform_key
waits = []
with http.server.HTTPServer(("127.0.0.1", 0), Away) as server:
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    client = Standing(f"http://127.0.0.1:{server.server_port}", on_wait=lambda error, seconds: waits.append(error.status))
    answer = client.report_event(agent_id, {"type": "task.completed"})
    print(answer["id"], waits, len({key for key, _ in seen}), seen[0][1])
    # For a question the service would store each response for a day.
    client.decide({"agentId": agent_id})
    client.decide({"agentId": agent_id}, idempotency_key="mine")
    print([key for key, _ in seen[3:]])
    server.shutdown()
    thread.join()
`)
    expect(out).toBe("e [503, 503] 1 None\n[None, 'mine']\n")
  })

  test('verifies signatures of another implementation of Standard Webhooks', async () => {
    const signed = new Webhook(WEBHOOK_SECRET).sign(
      'evt_9',
      new Date(1_750_000_000_000),
      '{"id":1}',
    )
    const out = await python(`
from standing import verify_webhook_signature
headers = {"Webhook-Id": "evt_9", "Webhook-Timestamp": "1750000000", "Webhook-Signature": "v1,AAAA ${signed}"}
print(verify_webhook_signature(b'{"id":1}', headers, webhook_secret, now=1750000001))
`)
    expect(out).toBe("{'id': 1}\n")
  })
}
