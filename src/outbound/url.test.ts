import { describe, expect, test } from 'vitest'
import { createPolicy } from './address.ts'
import { checkPublicUrl } from './url.ts'

const PUBLIC_ONLY = createPolicy([])
const LOOPBACK = createPolicy(['127.0.0.0/8'])
const PRIVATE = createPolicy(['10.0.0.0/8'])

/** Every one is a way to write an address or name that the public internet does not have. */
const FORBIDDEN_HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0177.0.0.0x1',
  '0x7f.1',
  '0x7f000001',
  '0x7F.0x0.0x0.0x1',
  '0x00000000007f.1',
  '①②⑦.⓪.⓪.①',
  '１２７.０.０.１',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '10.1',
  '0xa.1',
  '167772161',
  '192.168.257',
  '3232235777',
  '172.1048577',
  '2852039166',
  '0xa9fea9fe',
  '0xA9.0xFE.43518',
  '169.254.43518',
  '0251.0376.0251.0376',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '4294967295',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:7F00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  '[fe80::1]',
  '[fec0::1]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  'localhost',
  'LOCALHOST',
  'ｌｏｃａｌｈｏｓｔ',
  'loc%61lhost',
  'loc\talhost',
  'localhost.',
  'a.localhost',
  'printer.local',
  'db.internal',
  'metadata.google.internal',
  'METADATA.google.INTERNAL',
  'instance-data.ec2.internal',
  'router.lan',
  'nas.home.arpa',
  'wiki.corp',
  'localhost.localdomain',
  'metadata',
  'intranet',
  'example.com.',
  'a..example.com',
  `${'a'.repeat(64)}.example.com`,
]

describe('a webhook URL', () => {
  test.each(FORBIDDEN_HOSTS)('to %s is refused', (host) => {
    expect(checkPublicUrl(`https://${host}/hook`, PUBLIC_ONLY)).toMatchObject({ ok: false })
  })

  test.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTPS://Example.COM:443/a/../b?q=1', 'https://example.com/b?q=1'],
    ['https://hooks.example.com:8443/x', 'https://hooks.example.com:8443/x'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
    ['https://0x8080808/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://locals.example.com/', 'https://locals.example.com/'],
    ['https://internal.example.com/', 'https://internal.example.com/'],
    ['https://local.example/', 'https://local.example/'],
  ])('%s is stored as %s', (text, url) => {
    expect(checkPublicUrl(text, PUBLIC_ONLY)).toEqual({ ok: true, url })
  })

  test.each([
    ['', 'valid URL'],
    ['example.com', 'valid URL'],
    ['https://', 'valid URL'],
    ['https://[::1', 'valid URL'],
    ['https://256.1.1.1/', 'valid URL'],
    ['https://[fe80::1%25eth0]/', 'valid URL'],
    ['https://127.0.0.1%00.example.com/', 'valid URL'],
    ['ftp://example.com/', 'https URL'],
    ['file:///etc/passwd', 'https URL'],
    ['javascript:alert(1)', 'https URL'],
    ['gopher://example.com/', 'https URL'],
    ['unix:/run/docker.sock', 'https URL'],
    ['http://example.com/', 'https URL'],
    ['http://8.8.8.8/', 'https URL'],
    ['https://user@example.com/', 'user name or password'],
    ['https://:secret@example.com/', 'user name or password'],
    ['https://example.com@127.0.0.1/', 'user name or password'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ...[0, 22, 25, 53, 80, 444, 2375, 3306, 5432, 6379, 6443, 9092, 11211, 27017].map(
      (port): [string, string] => [`https://example.com:${port}/`, 'belongs to another protocol'],
    ),
    [`https://example.com/${'a'.repeat(2029)}`, '2048 characters'],
    [`https://example.com/${'ü'.repeat(1000)}`, '2048 characters'],
  ])('%s is refused: it must … %s', (text, message) => {
    expect(checkPublicUrl(text, PUBLIC_ONLY)).toEqual({
      ok: false,
      message: expect.stringContaining(message),
    })
  })

  test('of exactly 2048 characters is allowed', () => {
    const url = `https://example.com/${'a'.repeat(2028)}`
    expect(checkPublicUrl(url, PUBLIC_ONLY)).toEqual({ ok: true, url })
  })
})

describe('with an allow-list', () => {
  test('http and https are allowed to addresses inside it', () => {
    for (const url of [
      'http://127.0.0.1:9000/',
      'http://127.0.0.1/',
      'https://127.0.0.1/',
      'http://localhost:9000/',
    ]) {
      expect(checkPublicUrl(url, LOOPBACK)).toEqual({ ok: true, url })
    }
    expect(checkPublicUrl('http://0x7f.1:9000/', LOOPBACK)).toEqual({
      ok: true,
      url: 'http://127.0.0.1:9000/',
    })
  })

  test('http is refused at the port of https, as https is at that of http', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      expect(checkPublicUrl(`http://${host}:443/`, createPolicy(['127.0.0.1', '::1']))).toEqual({
        ok: false,
        message: 'must be an https URL: port 443 belongs to https',
      })
      expect(checkPublicUrl(`https://${host}:80/`, LOOPBACK)).toMatchObject({
        message: expect.stringContaining('must use port 443 or one from 1024 on'),
      })
    }
  })

  test('http is refused to addresses outside it', () => {
    expect(checkPublicUrl('http://8.8.8.8/', LOOPBACK)).toMatchObject({ ok: false })
    expect(checkPublicUrl('https://10.0.0.1/', LOOPBACK)).toMatchObject({ ok: false })
    for (const url of ['http://example.com/', 'http://hooks.example.com:8080/a']) {
      expect(checkPublicUrl(url, LOOPBACK)).toEqual({ ok: false, message: 'must be an https URL' })
    }
    expect(checkPublicUrl('https://example.com/', LOOPBACK)).toMatchObject({ ok: true })
  })

  test('names of the network behind it are accepted, and checked at each connection', () => {
    for (const url of ['http://receiver:9000/', 'https://hooks.internal/', 'http://a.corp/']) {
      expect(checkPublicUrl(url, PRIVATE)).toEqual({ ok: true, url })
    }
  })

  test('localhost requires loopback in it', () => {
    expect(checkPublicUrl('http://localhost/', PRIVATE)).toMatchObject({ ok: false })
    expect(checkPublicUrl('https://a.localhost/', PRIVATE)).toMatchObject({ ok: false })
    expect(checkPublicUrl('http://a.localhost/', createPolicy(['::1']))).toMatchObject({
      ok: true,
    })
  })

  test('metadata services are refused by name and by number', () => {
    const everything = createPolicy(['0.0.0.0/0', '::/0'])
    for (const host of ['metadata.google.internal', '169.254.169.254', '2852039166', '[fe80::1]']) {
      expect(checkPublicUrl(`http://${host}/`, everything)).toMatchObject({ ok: false })
    }
  })
})
